"""The litmus shapes. Names of the classic ones: Sewell et al., x86-TSO (2010), for n1 to n7 and amd3; Alglave et al., Herding cats
(2014), for SB, MP, LB, S, R, 2+2W, WRC, RWC, ISA2, Z6, IRIW and Co. What PSO allows was worked out by hand."""
from program import Shape, by_hand

TSO_PSO, PSO, NONE = "tso pso", "pso", ""
SHAPES = []


def shape(name, text, asked="", models="", finals="", start=None, **sets):
    """`sets`: all outcomes by hand; a model that is not named adds nothing to the model before it."""
    hand = {}
    if sets:
        allowed = set()
        for model in ("sc", "tso", "pso"):
            allowed = allowed | by_hand(sets.get(model, ""))
            hand[model] = allowed
    SHAPES.append(Shape(name, text, asked, models, finals, start or {}, hand))


# A store and a load of another variable: what stands between them, in both threads.
shape("SB", "x=1; r0=y | y=1; r0=x", "00", TSO_PSO, sc="01 10 11", tso="00")
for name, between in (("fence.sc", "fence.sc"), ("mfence", "mfence"), ("sync", "sync"), ("rmw", "r1=z.xchg(1)"),
                      ("rmw-rlx", "r1=z.add.rlx(1)"), ("cas-fails", "r1=z.cas.rlx(7,1)"), ("lock", "lock m; unlock m"),
                      ("post", "post s"), ("notify", "notify c"), ("read-lock", "read-lock q; read-unlock q"),
                      ("once", "once o"), ("wake", "wake f"), ("atomic", "atomic-begin; atomic-end"),
                      ("sc-store", "z.sc=1")):
    shape(f"SB+{name}", f"x=1; {between}; r0=y | y=1; {between}; r0=x", "00" if "r1" not in between else "", NONE)
# The same on objects of its own: nobody else uses them, and yet they drain.
for name, left, right in (("own-rmw", "r1=z.xchg(1)", "r1=w.xchg(1)"), ("own-rmw-rlx", "r1=z.add.rlx(1)", "r1=w.add.rlx(1)"),
                          ("own-cas-fails", "r1=z.cas.rlx(7,1)", "r1=w.cas.rlx(7,1)")):
    shape(f"SB+{name}", f"x=1; {left}; r0=y | y=1; {right}; r0=x", "0000", NONE, sc="0010 1000 1010")
for name, left, right in (("own-lock", "lock m; unlock m", "lock n; unlock n"), ("own-post", "post s", "post t"),
                          ("own-sc-store", "z.sc=1", "w.sc=1")):
    shape(f"SB+{name}", f"x=1; {left}; r0=y | y=1; {right}; r0=x", "00", NONE, sc="01 10 11")
for between in ("fence.rel", "fence.acq", "fence.ar", "sfence", "lfence", "signal-fence", "compiler", "yield", "malloc", "free-own"):
    shape(f"SB+{between}", f"x=1; {between}; r0=y | y=1; {between}; r0=x", "00", TSO_PSO, sc="01 10 11", tso="00")
shape("SB+one-fence", "x=1; fence.sc; r0=y | y=1; r0=x", "00", TSO_PSO, sc="01 10 11", tso="00")
shape("SB+sc", "x.sc=1; r0=y.sc | y.sc=1; r0=x.sc", "00", NONE, sc="01 10 11")
shape("SB+one-sc", "x.sc=1; r0=y.sc | y=1; r0=x.sc", "00", TSO_PSO)
shape("SB+sc-loads", "x.rlx=1; r0=y.sc | y.rlx=1; r0=x.sc", "00", TSO_PSO)
shape("SB+rel+acq", "x.rel=1; r0=y.acq | y.rel=1; r0=x.acq", "00", TSO_PSO, sc="01 10 11", tso="00")
shape("SB+rlx", "x.rlx=1; r0=y.rlx | y.rlx=1; r0=x.rlx", "00", TSO_PSO)
shape("SB+vol", "x.vol=1; r0=y.vol | y.vol=1; r0=x.vol", "00", TSO_PSO)
shape("SB+rmws", "r1=x.xchg(1); r0=y | r1=y.xchg(1); r0=x", "0000", NONE, sc="0010 1000 1010")
shape("SB+rmw-loads", "x=1; r0=y.add(0) | y=1; r0=x.add(0)", "00", NONE, sc="01 10 11")
shape("SB+one-lock", "lock m; x=1; r0=y; unlock m | lock m; y=1; r0=x; unlock m", "00", NONE, sc="01 10")
shape("SB+two-locks", "lock m; x=1; r0=y; unlock m | lock n; y=1; r0=x; unlock n", "00", TSO_PSO)
shape("SB+fork", "x=1; fork 2; r0=y | y=1; fence.sc; r0=x |", "00", NONE, sc="01 10 11")
shape("SB+join", "fork 2; x=1; join 2; r0=y | y=1; fence.sc; r0=x |", "00", NONE, sc="01 10 11")
shape("SB+free", "fork 2; join 2; r1=p; x=1; free p; r0=y | y=1; fence.sc; r0=x | p=1", "010", NONE, sc="011 110 111")
shape("SB+forwarded", "x=1; r0=x; r1=y | y=1; r0=y; r1=x", "1010", TSO_PSO, sc="1011 1110 1111", tso="1010")
shape("SB+forwarded+fences", "x=1; r0=x; fence.sc; r1=y | y=1; r0=y; fence.sc; r1=x", "1010", NONE, sc="1011 1110 1111")
shape("SB+branch", "x=1; r0=y; if r0 == 0: r1=z.add(1) | y=1; r0=x; if r0 == 0: r1=z.add(1)", "", finals="z")
shape("3.SB", "x=1; r0=y | y=1; r0=z | z=1; r0=x", "000", TSO_PSO,
      sc="001 010 011 100 101 110 111", tso="000")
shape("3.SB+fences", "x=1; fence.sc; r0=y | y=1; fence.sc; r0=z | z=1; fence.sc; r0=x", "000", NONE)
shape("3.SB+two-fences", "x=1; fence.sc; r0=y | y=1; fence.sc; r0=z | z=1; r0=x", "000", TSO_PSO)
shape("amd3", "x=1; x=2; r0=y | y=1; y=2; r0=x", "11", TSO_PSO)

# Two stores and two loads: what stands between the stores.
shape("MP", "x=1; y=1 | r0=y; r1=x", "10", PSO, sc="00 01 11", pso="10")
for between in ("fence.acq", "lfence", "signal-fence", "compiler", "yield", "malloc", "free-own"):
    shape(f"MP+{between}", f"x=1; {between}; y=1 | r0=y; r1=x", "10", PSO, sc="00 01 11", pso="10")
for name, between in (("fence.sc", "fence.sc"), ("mfence", "mfence"), ("fence.rel", "fence.rel"), ("fence.ar", "fence.ar"),
                      ("sfence", "sfence"), ("lock", "lock m; unlock m"), ("own-rel", "z.rel=1"), ("own-sc", "z.sc=1")):
    shape(f"MP+{name}", f"x=1; {between}; y=1 | r0=y; r1=x", "10", NONE, sc="00 01 11")
shape("MP+rlx", "x.rlx=1; y.rlx=1 | r0=y.rlx; r1=x.rlx", "10", PSO)
shape("MP+vol", "x.vol=1; y.vol=1 | r0=y.vol; r1=x.vol", "10", PSO)
shape("MP+rel", "x=1; y.rel=1 | r0=y.acq; r1=x", "10", NONE, sc="00 01 11")
shape("MP+sc", "x=1; y.sc=1 | r0=y.sc; r1=x", "10", NONE, sc="00 01 11")
shape("MP+rmw", "x=1; r0=y.add.rlx(1) | r0=y; r1=x", "010", NONE, sc="000 001 011")
shape("MP+rel-first", "x.rel=1; y=1 | r0=y; r1=x", "10", PSO, sc="00 01 11", pso="10")
shape("MP+sc-first", "x.sc=1; y=1 | r0=y; r1=x", "10", NONE, sc="00 01 11")
shape("MP+branch", "x=1; y=1 | r0=y; if r0 == 1: r1=x", "10", PSO, sc="00 11", pso="10")
shape("MP+rel+branch", "x=1; y.rel=1 | r0=y.acq; if r0 == 1: r1=x", "10", NONE, sc="00 11")
shape("MP+post", "x=1; post s | wait s; r0=x", "0", NONE, sc="1")
shape("MP+three", "x=1; y=1; z.rel=1 | r0=z; r1=y; r2=x", "100", NONE)
shape("MP+barrier-in-the-middle", "x=1; fence.rel; y=1; z=1 | r0=z; r1=y; r2=x", "101", PSO)
shape("MP+unlock", "x=1; l=0 | r0=l.xchg(1); r1=x", "00", PSO, start={"l": 1})
shape("MP+unlock-rel", "x=1; l.rel=0 | r0=l.xchg.acq(1); r1=x", "00", NONE, start={"l": 1})
shape("seqlock", "s=1; x=1; s=2 | r0=s; r1=x; r2=s", "010", PSO)
shape("seqlock+rel", "s=1; fence.rel; x=1; s.rel=2 | r0=s; r1=x; r2=s", "010", NONE)

# Loads before stores, and final values.
shape("LB", "r0=x; y=1 | r0=y; x=1", "11", NONE, sc="00 01 10")
shape("LB+rlx", "r0=x.rlx; y.rlx=1 | r0=y.rlx; x.rlx=1", "11", NONE, sc="00 01 10")
shape("LB+data", "r0=x; y=r0 | r0=y; x=r0+1", "", finals="x y")
shape("S", "x=2; y=1 | r0=y; x=1", "12", PSO, "x", sc="01 02 11", pso="12")
shape("S+rel", "x=2; y.rel=1 | r0=y; x=1", "12", NONE, "x", sc="01 02 11")
shape("R", "x=1; y=1 | y=2; r0=x", "02", TSO_PSO, "y", sc="01 11 12", tso="02")
shape("R+fence", "x=1; y=1 | y=2; fence.sc; r0=x", "02", PSO, "y")
shape("R+fences", "x=1; fence.sc; y=1 | y=2; fence.sc; r0=x", "02", NONE, "y", sc="01 11 12")
shape("2+2W", "x=1; y=2 | y=1; x=2", "11", PSO, "x y", sc="12 21 22", pso="11")
shape("2+2W+rel", "x=1; y.rel=2 | y=1; x.rel=2", "11", NONE, "x y", sc="12 21 22")
shape("2+2W+sfence", "x=1; sfence; y=2 | y=1; sfence; x=2", "11", NONE, "x y", sc="12 21 22")
shape("2+2W+one-sfence", "x=1; sfence; y=2 | y=1; x=2", "11", PSO, "x y")

# Three and four threads.
shape("WRC", "x=1 | r0=x; y=1 | r0=y; r1=x", "110", NONE, sc="000 001 010 011 100 101 111")
shape("RWC", "x=1 | r0=x; r1=y | y=1; r0=x", "100", TSO_PSO)
shape("RWC+fence", "x=1 | r0=x; r1=y | y=1; fence.sc; r0=x", "100", NONE)
shape("W+RWC", "x=1; y=1 | r0=y; r1=z | z=1; r0=x", "100", TSO_PSO)
shape("W+RWC+fence", "x=1; y=1 | r0=y; r1=z | z=1; fence.sc; r0=x", "100", PSO)
shape("W+RWC+rel+fence", "x=1; y.rel=1 | r0=y; r1=z | z=1; fence.sc; r0=x", "100", NONE)
shape("ISA2", "x=1; y=1 | r0=y; z=1 | r0=z; r1=x", "110", PSO)
shape("ISA2+rel", "x=1; y.rel=1 | r0=y.acq; z.rel=1 | r0=z.acq; r1=x", "110", NONE)
shape("Z6.0", "x=1; y=1 | r0=y; z=1 | z=2; r0=x", "102", TSO_PSO, "z")
shape("Z6.3", "x=1; y=1 | y=2; z=1 | r0=z; r1=x", "102", PSO, "y")
shape("IRIW", "x=1 | y=1 | r0=x; r1=y | r0=y; r1=x", "1010", NONE,
      sc="0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111")
shape("IRIW+own-stores", "x=1; r0=x; r1=y | y=1; r0=y; r1=x | r0=x; r1=y", "", "")

# One variable.
shape("CoRR", "x=1 | r0=x; r1=x", "10", NONE, sc="00 01 11")
shape("CoRR2", "x=1 | x=2 | r0=x; r1=x | r0=x; r1=x", "1221", NONE)
shape("CoWW", "x=1; x=2", "1", NONE, "x", sc="2")
shape("CoWW+reader", "x=1; x=2 | r0=x; r1=x", "21", NONE, sc="00 01 02 11 12 22")
shape("CoRW1", "r0=x; x=1", "1", NONE, sc="0")
shape("CoRW2", "x=1 | r0=x; x=2", "11", NONE, "x", sc="01 02 12")
shape("CoWR", "x=1; r0=x | x=2", "21", NONE, "x", sc="11 12 22")
shape("n1", "x=2; r0=y | y=1; x=1 | r0=x; r1=x", "012", TSO_PSO)
shape("n2", "x=1; y=1 | y=2; z=1 | r0=z; r1=x | r0=y; r1=y", "1012", PSO)
shape("n4", "r0=x; x=1; r1=x | r0=x; x=2; r1=x", "2112", NONE)
shape("n5", "x=1; r0=x | x=2; r0=x", "21", NONE, sc="11 12 22")
shape("n6", "x=1; r0=x; r1=y | y=2; x=2", "101", TSO_PSO, "x")
shape("n7", "x=1; r0=x; r1=y | y=1 | r0=y; r1=x", "1010", TSO_PSO)
shape("increments", "r0=x; x=r0+1 | r0=x; x=r0+1", "002", NONE, "x", sc="001 012 102")
shape("increments+rmw", "r0=x.add.rlx(1) | r0=x.add.rlx(1)", "001", NONE, "x", sc="012 102")
shape("own-store-cas", "x=1; r0=x.cas(1,2) | r0=x.cas(0,3)", "", finals="x", sc="102 112 122")
shape("fork-sees", "x=1; fork 1 | r0=x", "0", NONE, sc="1")
shape("join-sees", "fork 1; join 1; r0=x | x=1", "0", NONE, sc="1")

# Other sizes.
shape("bytes-SB", "x[0]=1; r0=y[0] | y[0]=1; r0=x[0]", "00", TSO_PSO, sc="01 10 11", tso="00")
shape("bytes-in-one-word", "x[0]=1; r0=x | x[1]=1; r0=x", "1,100", TSO_PSO, sc="1,101 101,100 101,101", tso="1,100")
shape("byte-of-own-word", "x=0x201; r0=x[1]; r1=y | y=1; fence.sc; r0=x[0]", "200", TSO_PSO)
shape("word-over-own-byte", "x[1]=3; r0=x; x=0x102; r1=x[1] | r0=x", "", sc="300,1,0 300,1,300 300,1,102")
shape("bytes-apart", "x[0]=1; x[1]=1 | r0=x", "100,", PSO, sc="0 1 101,", pso="100,")
shape("word-then-byte", "x=0x101; x[0]=2 | r0=x", "", sc="0 101, 102,")
shape("halves-overlap", "x[0:2]=0x101; x[1:3]=0x202; x[2:4]=0x303 | r0=x[2:4]; r1=x[0:2]", "303,0", NONE)
shape("halves-apart", "x[0:2]=0x101; x[2:4]=0x303 | r0=x[2:4]; r1=x[0:2]", "303,0", PSO, sc="0,0 0,101 303,101", pso="303,0")
shape("long-over-words", "x[0:8]=1; x[4:8]=2 | r0=x[4:8]; r1=x[0:4]", "2,0", NONE)
shape("set", "set x 1 | r0=x[8]; r1=x[0]", "10", PSO, sc="00 01 11", pso="10")
shape("copy", "copy x 1 | r0=x[8]; r1=x[0]", "10", PSO, sc="00 01 11", pso="10")
shape("copy+rel", "copy x 1; y.rel=1 | r0=y; r1=x[8]; r2=x[0]", "100", NONE)
