import { importsOf, isTest, type Tree } from "./tree.ts";

/**
 * The rooms of suites/, lowest first, each with the other rooms that it imports. A room may not import a later room, which could make a
 * cycle. `suites/index.ts` belongs to `api`.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  packs: ["base"],
  results: ["base"],
  targets: ["base", "packs", "results"],
  running: ["base", "packs", "results", "targets"],
  reports: ["base", "packs", "results", "targets", "running"],
  authoring: ["base", "packs", "targets", "reports"],
  publishing: ["base", "packs", "results", "targets", "running", "reports"],
  cli: ["base", "packs", "results", "targets", "running", "reports", "authoring", "publishing"],
  api: ["base", "packs", "results", "targets", "running", "reports", "authoring", "cli"],
  protocols: ["base", "packs", "running"],
  guides: [],
  adapters: [],
};

/** Rooms with a README for users. */
const roomsWithPages: readonly string[] = ["protocols", "guides", "adapters"];

/** The maximum lines of a README, which should fit on one screen. */
const maxLines = 50;

/** Finds imports that the table does not allow, lines in the wrong order, unknown folders, and wrong READMEs. */
export function roomComplaints(tree: Tree): string[] {
  return [...orderComplaints(), ...unknownRooms(tree), ...readmeComplaints(tree), ...importComplaints(tree)];
}

/** The actual imports between rooms, in the form of the table. Imports of tests do not count. */
export function importsBetweenRooms(tree: Tree): Record<string, string[]> {
  const names = Object.keys(rooms);
  const importsByRoom = new Map<string, Set<string>>(names.map((name) => [name, new Set<string>()]));
  for (const { from, to } of crossings(tree)) importsByRoom.get(roomOf(from) ?? "")?.add(roomOf(to) ?? "");
  const sortRooms = (importedRooms: ReadonlySet<string>): string[] => names.filter((name) => importedRooms.has(name));
  return Object.fromEntries([...importsByRoom].map(([name, importedRooms]) => [name, sortRooms(importedRooms)]));
}

function importComplaints(tree: Tree): string[] {
  return crossings(tree).flatMap(({ from, to }) => {
    const [room = "", importedRoom = ""] = [roomOf(from), roomOf(to)];
    if (rooms[room] === undefined || rooms[room].includes(importedRoom)) return [];
    return [`${from} imports ${to}: ${room} may import ${rooms[room].join(", ") || "no other room"}`];
  });
}

function crossings(tree: Tree): { from: string; to: string }[] {
  return importsOf(tree).filter(({ from, to, isOurs }) => {
    const [room, importedRoom] = [roomOf(from), roomOf(to)];
    return isOurs && !isTest(from) && room !== undefined && importedRoom !== undefined && room !== importedRoom;
  });
}

/** The room of a file, `api` for the entry itself; undefined outside of suites/. */
function roomOf(path: string): string | undefined {
  if (path === "suites/index.ts") return "api";
  return /^suites\/([^/]+)\//.exec(path)?.[1];
}

function orderComplaints(): string[] {
  const names = Object.keys(rooms);
  return names.flatMap((room, index) =>
    (rooms[room] ?? [])
      .filter((importedRoom) => names.indexOf(importedRoom) >= index || !names.includes(importedRoom))
      .map((other) => `scripts/rooms.ts: ${room} may not import ${other}, which is not above it in the table`),
  );
}

function unknownRooms(tree: Tree): string[] {
  const foundRooms = new Set([...tree.keys()].map((path) => roomOf(path)).filter((room) => room !== undefined));
  return [...foundRooms].filter((room) => rooms[room] === undefined).map((room) => `suites/${room} is not a room`);
}

function readmeComplaints(tree: Tree): string[] {
  return Object.entries(rooms).flatMap(([room, importedRooms]) => {
    const path = `suites/${room}/README.md`;
    const text = tree.get(path);
    if (text === undefined) return [`${path} is missing`];
    if (roomsWithPages.includes(room) || text === "") return [];
    const lines = text.split("\n").length - 1;
    const sentence = importSentence(importedRooms);
    return [
      ...(lines > maxLines ? [`${path} has ${lines} lines, more than a screen (${maxLines})`] : []),
      ...(text.includes(`\n${sentence}\n`) ? [] : [`${path} lacks the line "${sentence}"`]),
    ];
  });
}

/** The line of a room's README that names the rooms that it may import. */
export function importSentence(others: readonly string[]): string {
  return others.length === 0
    ? "**May import** no other room."
    : `**May import** ${others.map((other) => `\`${other}\``).join(", ")}.`;
}
