; Every masked access that LLVM has. Without vector units for them the backend takes them apart itself, so the
; uninstrumented program runs everywhere too.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @masked(ptr %from, ptr %to, ptr %compressed, ptr %result) {
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %from, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x i32> <i32 -1, i32 -2, i32 -3, i32 -4>)
  store <4 x i32> %loaded, ptr %result, align 4
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %loaded, ptr %to, i32 4, <4 x i1> <i1 0, i1 1, i1 1, i1 0>)
  %second = getelementptr i32, ptr %from, i64 5
  %pointers0 = insertelement <4 x ptr> poison, ptr %from, i32 0
  %pointers1 = insertelement <4 x ptr> %pointers0, ptr null, i32 1
  %pointers2 = insertelement <4 x ptr> %pointers1, ptr %second, i32 2
  %pointers3 = insertelement <4 x ptr> %pointers2, ptr %second, i32 3
  %gathered = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %pointers3, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x i32> <i32 -5, i32 -6, i32 -7, i32 -8>)
  %result4 = getelementptr i32, ptr %result, i64 4
  store <4 x i32> %gathered, ptr %result4, align 4
  %to6 = getelementptr i32, ptr %to, i64 6
  %targets0 = insertelement <4 x ptr> poison, ptr null, i32 0
  %targets1 = insertelement <4 x ptr> %targets0, ptr %to6, i32 1
  %targets2 = insertelement <4 x ptr> %targets1, ptr null, i32 2
  %targets3 = insertelement <4 x ptr> %targets2, ptr %to6, i32 3
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %loaded, <4 x ptr> %targets3, i32 4, <4 x i1> <i1 0, i1 1, i1 0, i1 0>)
  %expanded = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %from, <4 x i1> <i1 0, i1 1, i1 0, i1 1>, <4 x i32> <i32 -9, i32 -10, i32 -11, i32 -12>)
  %result8 = getelementptr i32, ptr %result, i64 8
  store <4 x i32> %expanded, ptr %result8, align 4
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %loaded, ptr %compressed, <4 x i1> <i1 1, i1 0, i1 0, i1 1>)
  ret void
}

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
