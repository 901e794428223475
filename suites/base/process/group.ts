import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";

const isWindows = process.platform === "win32";

/** Those that run: they end with this process. */
const running = new Set<ChildProcess>();

/**
 * Starts a program in a group of its own, so that what it starts ends with it. The group ends when the program does, and when this process
 * does, in whatever way: a small process waits for that, since nothing here can where a signal kills.
 */
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

/** Ends a program with all that it started; nothing is left to do when it has ended. */
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

/** Reads the groups that are there until whoever writes them is gone, and then ends those that are left. */
const watch = `trap '' HUP INT QUIT TERM
all=' '
while read -r sign group; do
  case $sign in
    +) all="$all$group " ;;
    -) all="\${all%% $group *} \${all#* $group }" ;;
  esac
done
for group in $all; do kill -9 "-$group"; done`;

let watchdog: Socket | undefined;

function tell(sign: "+" | "-", { pid }: ChildProcess): void {
  if (isWindows) return;
  watchdog ??= startWatchdog();
  watchdog.write(`${sign} ${pid}\n`);
}

function startWatchdog(): Socket {
  const child = spawn("sh", ["-c", watch], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const input = child.stdin as Socket;
  // Without it there is still what a process can do at its own end.
  child.on("error", () => {});
  input.on("error", () => {});
  child.unref();
  input.unref();
  return input;
}
