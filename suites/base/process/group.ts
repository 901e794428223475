import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";

const isWindows = process.platform === "win32";

/** The running children; they are killed when this process exits. */
const runningChildren = new Set<ChildProcess>();

/** Starts a program in its own process group, so that its children end with it. The group is killed when the program exits and when this process exits. If this process is killed, a small watchdog process kills the group. */
export function spawnGroup(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, { ...options, detached: !isWindows });
  if (child.pid === undefined) return child;
  if (runningChildren.size === 0) process.once("exit", killAll);
  runningChildren.add(child);
  notifyWatchdog("+", child);
  child.once("exit", () => {
    killGroup(child);
    runningChildren.delete(child);
    notifyWatchdog("-", child);
    if (runningChildren.size === 0) process.removeListener("exit", killAll);
  });
  return child;
}

function killAll(): void {
  for (const child of runningChildren) killGroup(child);
}

/** Ends a program and everything that it started. Does nothing if it has ended already. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows) {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" }).on("error", () => {});
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone.
  }
}

/** A shell script that keeps a list of the running groups. When its input ends, it kills the remaining ones. */
const watchScript = `trap '' HUP INT QUIT TERM
all=' '
while read -r sign group; do
  case $sign in
    +) all="$all$group " ;;
    -) all="\${all%% $group *} \${all#* $group }" ;;
  esac
done
for group in $all; do kill -9 "-$group"; done`;

// One process watches all groups of this process; it starts with the first group.
let watchdog: Socket | undefined;

function notifyWatchdog(sign: "+" | "-", { pid }: ChildProcess): void {
  if (isWindows) return;
  watchdog ??= startWatchdog();
  watchdog.write(`${sign} ${pid}\n`);
}

function startWatchdog(): Socket {
  const child = spawn("sh", ["-c", watchScript], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const input = child.stdin as Socket;
  // Without the watchdog, this process still ends its children when it exits normally.
  child.on("error", () => {});
  input.on("error", () => {});
  child.unref();
  input.unref();
  return input;
}
