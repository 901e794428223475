import {
  type Change,
  type ChangeEntry,
  equal,
  isObject,
  type Json,
  type JsonObject,
  type PlacedRule,
  pointer,
  ruleFault,
  type Sign,
} from "../../../schemas/index.ts";

/** The functions that make the change of a case. */
export interface ChangeSources {
  applyChanges(parent: Json, changes: readonly Change[]): Json | undefined;
  /** Signs a message; absent for a pack that signs nothing. */
  seal?: Sign;
}

/** A change as a JSON Patch, and the changed message. Throws a usage error with file and line for a change that does not apply. */
export function changeOf(
  { rule, at }: { rule: PlacedRule; at: string },
  entry: ChangeEntry,
  parent: Json,
  { applyChanges, seal }: ChangeSources,
): { changes: Change[]; value: Json } {
  const { set = {}, repeat = {}, remove = [], copy = {}, add = {}, patch = [] } = entry;
  const changes: Change[] = [];
  let value = parent;
  const take = (change: Change, there: string): void => {
    const next = applyChanges(value, [change]);
    if (next === undefined)
      throw ruleFault(
        rule.family,
        `${at}/${there}`,
        `the change does not apply: ${change.op} "${change.path}"`,
        "look at the message from which the case begins",
      );
    value = next;
    changes.push(change);
  };
  const putAt = (path: string, given: Json, there: string): void => {
    const op = pointer.has(path, value) ? "replace" : "add";
    take({ op, path, value: given }, `${there}/${pointer.escaped(path)}`);
  };
  for (const [path, given] of Object.entries(set)) putAt(path, given, "set");
  for (const [path, { text, times, then = "" }] of Object.entries(repeat))
    take({ op: "add", path, value: text.repeat(times) + then }, `repeat/${pointer.escaped(path)}`);
  for (const path of [remove].flat()) take({ op: "remove", path }, "remove");
  for (const [path, source] of Object.entries(copy)) {
    const given = pointer.at(source, value);
    if (given === undefined)
      throw ruleFault(
        rule.family,
        `${at}/copy/${pointer.escaped(path)}`,
        `there is nothing at "${source}"`,
        "name a value of the message from which the case begins",
      );
    putAt(path, given, "copy");
  }
  for (const [path, given] of Object.entries(add))
    take({ op: "add", path, value: given }, `add/${pointer.escaped(path)}`);
  for (const [index, change] of patch.entries()) take(change, `patch/${index}`);
  for (const [place, mistake] of sealsIn(entry))
    for (const [name, given] of resealMembers(rule, `${at}/seal`, pointer.at(place, value), { seal, mistake }))
      putAt(pointer.append(place, name), given, "seal");
  return { changes, value };
}

function sealsIn({ seal = [] }: ChangeEntry): [place: string, mistake?: string][] {
  return isObject(seal as Json) ? Object.entries(seal) : [seal as string | string[]].flat().map((place) => [place]);
}

/** The members that change when a message is signed again. Throws a usage error with file and line if none does. */
function resealMembers(
  rule: PlacedRule,
  at: string,
  message: Json | undefined,
  { seal, mistake }: { seal: Sign | undefined; mistake: string | undefined },
): [string, Json][] {
  if (seal === undefined)
    throw ruleFault(rule.family, at, "the pack has nothing that signs", "export a signer from its code");
  const made = message === undefined ? undefined : seal(message, mistake);
  const own: JsonObject = isObject(message) ? message : {};
  const changed = isObject(made) ? Object.entries(made).filter(([name, each]) => !equal(each, own[name] ?? null)) : [];
  if (changed.length > 0) return changed;
  const hint = "name the place of a message that the change touches";
  throw ruleFault(rule.family, at, "there is nothing to sign again", hint);
}
