#!/usr/bin/env bash
# The one step of the action. Its inputs come by the environment, so that none becomes a part of a script. Ends as `touchstone run`
# does: 1 is for violations alone, 2 for what is given wrongly, 4 for a program that cannot be installed.
set -euo pipefail

fail() {
  printf '::error title=Touchstone::%s\n' "$2"
  exit "$1"
}

# Folders from this one up to that of the workspace.
above() {
  local folder=$PWD root=${GITHUB_WORKSPACE:-$PWD}
  while printf '%s\n' "$folder" && [ "$folder" != "$root" ] && [ "$folder" != / ]; do folder=$(dirname "$folder"); done
}

installed() {
  local folder
  while IFS= read -r folder; do
    [ ! -x "$folder/node_modules/.bin/touchstone" ] || { printf '%s' "$folder/node_modules/.bin/touchstone" && return; }
  done < <(above)
}

# The folder whose lock has the program: a workspace has it at its root.
locked() {
  local folder
  while IFS= read -r folder; do
    ! grep -qs 'node_modules/touchstone"' "$folder/package-lock.json" || { printf '%s' "$folder" && return; }
  done < <(above)
}

# As a shell reads them, quotes and all, and nothing is executed.
words() { [ -z "$1" ] || printf '%s' "$1" | xargs -n1 printf '%s\0'; }

report="$RUNNER_TEMP/touchstone"
mkdir -p "$report"
echo "report=$report" >>"$GITHUB_OUTPUT"

program=$(installed)
if [ -z "$program" ] && [ -n "$(locked)" ]; then
  (cd "$(locked)" && npm ci >&2) || fail 4 "npm ci failed: see above"
  program=$(installed)
fi
if [ -z "$program" ]; then
  [ -n "$VERSION" ] || fail 2 "which version? Install touchstone in the project (npm install --save-dev), or give the action its version"
  [[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$ ]] || fail 2 "the version has to be one, such as 1.2.3"
  place="$RUNNER_TEMP/touchstone-$VERSION"
  npm install --prefix "$place" --ignore-scripts --no-audit --no-fund "touchstone@$VERSION" >&2 || fail 4 "touchstone@$VERSION could not be installed: see above"
  program="$place/node_modules/.bin/touchstone"
fi

args=()
[ -z "$PROTOCOL" ] || args+=("$PROTOCOL")
while IFS= read -r -d '' word; do args+=("$word"); done < <(words "$TARGET"; words "$OPTIONS")
[ -z "$BASELINE" ] || args+=(--baseline "$BASELINE")
code=0
"$program" run "${args[@]}" --fail-on "$FAIL_ON" --quiet \
  --report terminal --report "github=$report/annotations.txt" --report "markdown=$report/summary.md" \
  --report "html=$report/index.html" --report "json=$report/report.json" || code=$?
[ ! -f "$report/annotations.txt" ] || cat "$report/annotations.txt"
[ ! -f "$report/summary.md" ] || cat "$report/summary.md" >>"$GITHUB_STEP_SUMMARY"
exit "$code"
