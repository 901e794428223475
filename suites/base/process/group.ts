import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";

const isWindows = process.platform === "win32";

/** Running children; they are ended together with this process. */
const running = new Set<ChildProcess>();

/** Starts a program in its own process group, so that its children end with it. The group ends when the program does, and also when this process does: a small watchdog process sees to that, since a killed process cannot. */
export function spawnGroup(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, { ...options, detached: !isWindows });
  if (child.pid === undefined) return child;
  if (running.size === 0) process.once("exit", killAll);
  running.add(child);
  tell("+", child);
  child.once("exit", () => {
    killGroup(child);
    running.delete(child);
    tell("-", child);
    if (running.size === 0) process.removeListener("exit", killAll);
  });
  return child;
}

function killAll(): void {
  for (const child of running) killGroup(child);
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

/** Keeps a list of the running groups until its writer is gone, then kills the remaining ones. */
const watch = `trap '' HUP INT QUIT TERM
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

function tell(sign: "+" | "-", { pid }: ChildProcess): void {
  if (isWindows) return;
  watchdog ??= startWatchdog();
  watchdog.write(`${sign} ${pid}\n`);
}

function startWatchdog(): Socket {
  const child = spawn("sh", ["-c", watch], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const input = child.stdin as Socket;
  // Without the watchdog, this process still ends its children when it exits normally.
  child.on("error", () => {});
  input.on("error", () => {});
  child.unref();
  input.unref();
  return input;
}
