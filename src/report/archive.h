// The history of an output directory. DIR/bug-N.json are the results of the last check; each check also leaves DIR/run-K
// with its result (result.json) and its bug files, and DIR/latest names the newest.
#pragma once
#include <string>
#include <vector>

namespace plait {

/// Files are linked, not copied, so that the archive costs nothing. Keeps the last `keep` runs. Returns the new
/// directory's name. Throws Error.
std::string archive_run(const std::string& directory, const std::vector<std::string>& files,
                        const std::string& result_json, unsigned keep = 20);

}  // namespace plait
