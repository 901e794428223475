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

/** The functions that apply the changes of cases. */
export interface ChangeSources {
  applyChanges(parent: Json, changes: readonly Change[]): Json | undefined;
  /** Signs a message; absent for a pack without signatures. */
  seal?: Sign;
}

/** Makes the change of a case: as a JSON Patch, and as the changed message. Throws a usage error with file and line for a change that does not apply. */
export function makeChange(
  { rule, at }: { rule: PlacedRule; at: string },
  entry: ChangeEntry,
  parent: Json,
  { applyChanges, seal }: ChangeSources,
): { changes: Change[]; value: Json } {
  const { set = {}, repeat = {}, remove = [], copy = {}, add = {}, patch = [] } = entry;
  const changes: Change[] = [];
  let value = parent;
  const apply = (change: Change, entryPlace: string): void => {
    const changedValue = applyChanges(value, [change]);
    if (changedValue === undefined)
      throw ruleFault(
        rule.family,
        `${at}/${entryPlace}`,
        `the change does not apply: ${change.op} "${change.path}"`,
        "compare it with the message that the case changes",
      );
    value = changedValue;
    changes.push(change);
  };
  const putAt = (path: string, newValue: Json, location: string): void => {
    const op = pointer.has(path, value) ? "replace" : "add";
    apply({ op, path, value: newValue }, `${location}/${pointer.escaped(path)}`);
  };
  for (const [path, newValue] of Object.entries(set)) putAt(path, newValue, "set");
  for (const [path, { text, times, then = "" }] of Object.entries(repeat))
    apply({ op: "add", path, value: text.repeat(times) + then }, `repeat/${pointer.escaped(path)}`);
  for (const path of [remove].flat()) apply({ op: "remove", path }, "remove");
  for (const [path, source] of Object.entries(copy)) {
    const copiedValue = pointer.at(source, value);
    if (copiedValue === undefined)
      throw ruleFault(
        rule.family,
        `${at}/copy/${pointer.escaped(path)}`,
        `there is nothing at "${source}"`,
        "name a value of the message that the case changes",
      );
    putAt(path, copiedValue, "copy");
  }
  for (const [path, newValue] of Object.entries(add))
    apply({ op: "add", path, value: newValue }, `add/${pointer.escaped(path)}`);
  for (const [index, change] of patch.entries()) apply(change, `patch/${index}`);
  for (const [place, mistake] of sealsIn(entry))
    for (const [name, newValue] of resealMembers(rule, `${at}/seal`, pointer.at(place, value), { seal, mistake }))
      putAt(pointer.append(place, name), newValue, "seal");
  return { changes, value };
}

function sealsIn({ seal = [] }: ChangeEntry): [place: string, mistake?: string][] {
  return isObject(seal as Json) ? Object.entries(seal) : [seal as string | string[]].flat().map((place) => [place]);
}

/** Signs a message again, and returns the members that change. Throws a usage error with file and line if none does. */
function resealMembers(
  rule: PlacedRule,
  at: string,
  message: Json | undefined,
  { seal, mistake }: { seal: Sign | undefined; mistake: string | undefined },
): [string, Json][] {
  if (seal === undefined) throw ruleFault(rule.family, at, "the pack has no signer", "export a signer from its code");
  const signedMessage = message === undefined ? undefined : seal(message, mistake);
  const members: JsonObject = isObject(message) ? message : {};
  const changedMembers = isObject(signedMessage)
    ? Object.entries(signedMessage).filter(([name, member]) => !equal(member, members[name] ?? null))
    : [];
  if (changedMembers.length > 0) return changedMembers;
  const hint = "name the place of a message that the change touches";
  throw ruleFault(rule.family, at, "there is nothing to sign again", hint);
}
