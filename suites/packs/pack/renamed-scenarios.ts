import {
  type Arrival,
  type Callback,
  type Extension,
  type HttpReply,
  isObject,
  type Json,
  type NameChange,
  namesOf,
  type Protocol,
  type Scenario,
  type ScenarioContext,
} from "../../../schemas/index.ts";

/** A member with a different value in the pack, such as its version. The two values are swapped, so that the change can be undone. */
export interface ValueSwap {
  /** The member, in the parent's names. */
  member: string;
  values: readonly [string, string];
}

/** How the messages of a pack differ from those of its parent, apart from their names. */
export interface ScenarioDifferences {
  swap?: ValueSwap;
  /** Members of answers that are new in the pack and change without a request. They are hidden from the scenarios. */
  hides?: readonly string[];
  /** Rules of the parent for which the pack drops the advice (SHOULD) and keeps the requirement. */
  lifts?: readonly string[];
}

/** Adapts the parent's scenarios to the pack: they read and write the parent's names, and the target receives the pack's names. Rules that the pack does not cover are not judged, and a scenario with only such rules is left out. */
export function renameScenarios(
  scenarios: readonly Scenario[],
  { extends: extension, rules }: Protocol,
  differences: ScenarioDifferences = {},
): Scenario[] {
  if (extension === undefined) return [...scenarios];
  const names = namesOf(extension);
  const spellings = messageSpellings(extension, differences.swap);
  const covered = new Set(rules.filter(({ status }) => "covered" in status).map(({ id }) => id));
  const keepRules = (ids: readonly string[]): string[] => ids.map(names.id).filter((id) => covered.has(id));
  return scenarios.flatMap((scenario) => {
    const coveredRules = keepRules(scenario.rules);
    const { independent } = scenario;
    if (coveredRules.length === 0) return [];
    return {
      ...scenario,
      says: names.text(scenario.says),
      rules: coveredRules,
      ...(independent === undefined ? {} : { independent: keepRules(independent) }),
      play: (context) =>
        scenario.play(
          new RenamedContext(context, {
            names,
            spellings,
            rules: new Set(coveredRules),
            differences,
          }).asParent(),
        ),
    };
  });
}

/** Converts messages to the names of the pack or of its parent. Only members are renamed: string values belong to the parties. */
export interface MessageSpelling {
  value(value: Json): Json;
  text(text: string): string;
  headers<T>(headers: Readonly<Record<string, T>>): Record<string, T>;
}

interface ScenarioRenaming {
  names: NameChange;
  spellings: Record<"toPack" | "toParent", MessageSpelling>;
  /** The ids of the rules that are judged. */
  rules: ReadonlySet<string>;
  differences: ScenarioDifferences;
}

/** The context for the parent's scenarios: converts their requests and the answers to them. */
class RenamedContext {
  readonly #context: ScenarioContext;
  readonly #renaming: ScenarioRenaming;
  /** The original of each converted object that was given to a scenario. */
  readonly #originals = new WeakMap<object, object>();
  readonly #arrivals = new WeakMap<Arrival, Arrival>();

  constructor(context: ScenarioContext, renaming: ScenarioRenaming) {
    this.#context = context;
    this.#renaming = renaming;
  }

  asParent(): ScenarioContext {
    const { setting, signal, agents } = this.#context;
    return {
      ...this.#context,
      setting,
      signal,
      agents,
      ...this.#requestMethods(),
      ...this.#callbackMethods(),
      ...this.#verdictMethods(),
    };
  }

  #requestMethods(): Pick<ScenarioContext, "send" | "stream" | "socket" | "later" | "fetch"> {
    const context = this.#context;
    const { names, spellings } = this.#renaming;
    const { toPack } = spellings;
    return {
      send: async ({ body, headers, ...request }) =>
        this.#convertReply(
          await context.send({
            ...request,
            path: names.text(request.path),
            ...(body === undefined ? {} : { body: typeof body === "string" ? toPack.text(body) : toPack.value(body) }),
            ...(headers === undefined ? {} : { headers: toPack.headers(headers) }),
          }),
        ),
      stream: (request) =>
        context.stream({ ...request, path: names.text(request.path), body: toPack.text(request.body) }),
      socket: (request) => context.socket({ ...request, path: names.text(request.path) }),
      later: (answer, tries) => context.later(this.#originalOf(answer), tries),
      fetch: async (url) => {
        const reply = await context.fetch(url);
        return reply && this.#convertReply(reply);
      },
    };
  }

  #callbackMethods(): Pick<ScenarioContext, "callback" | "come" | "violations"> {
    const context = this.#context;
    const { names, spellings } = this.#renaming;
    const toParent = names.back();
    return {
      callback: async (reactions, tail) => this.#convertCallback(await context.callback(reactions, tail)),
      come: (callback, count, milliseconds) => context.come(this.#originalOf(callback), count, milliseconds),
      violations: async (document, instance) => {
        const violations = await context.violations(document, spellings.toPack.value(instance));
        return violations.map(({ rule, at, ...otherMembers }) => ({
          ...otherMembers,
          at: toParent.pointer(at),
          ...(rule === undefined ? {} : { rule: toParent.id(rule) }),
        }));
      },
    };
  }

  #verdictMethods(): Pick<ScenarioContext, "expect" | "note" | "skip"> {
    const context = this.#context;
    const { names, rules, differences } = this.#renaming;
    return {
      expect: (rule, holds, why, ...more) => {
        if (differences.lifts?.includes(rule) && more.includes("SHOULD")) return;
        const originals = more.map((item) => this.#originalOf(item));
        if (rules.has(names.id(rule))) context.expect(names.id(rule), holds, names.text(why), ...originals);
      },
      note: (rule, why) => {
        if (rules.has(names.id(rule))) context.note(names.id(rule), names.text(why));
      },
      skip: (rule, why, cause) => {
        if (rules.has(names.id(rule))) context.skip(names.id(rule), names.text(why), cause);
      },
    };
  }

  #convertReply(reply: HttpReply): HttpReply {
    const { spellings, differences } = this.#renaming;
    const { toParent } = spellings;
    const { headers, text, json } = reply;
    // The prototype is the original, because the exchange is computed on demand.
    const converted: HttpReply = Object.create(reply, {
      headers: { value: toParent.headers(headers), enumerable: true },
      text: { value: toParent.text(text), enumerable: true },
      json: {
        value: json === undefined ? undefined : withoutMembers(toParent.value(json), differences.hides),
        enumerable: true,
      },
    });
    this.#originals.set(converted, reply);
    return converted;
  }

  #convertCallback(callback: Callback): Callback {
    const convertArrival = (arrival: Arrival): Arrival => this.#convertArrival(arrival);
    const converted: Callback = {
      url: callback.url,
      get arrivals() {
        return callback.arrivals.map(convertArrival);
      },
      come: (count, milliseconds) => callback.come(count, milliseconds),
    };
    this.#originals.set(converted, callback);
    return converted;
  }

  /** Returns the same object each time. Its prototype is the original, so a time that is later added to the original is visible here. */
  #convertArrival(arrival: Arrival): Arrival {
    const converted = this.#arrivals.get(arrival);
    if (converted !== undefined) return converted;
    const { names, spellings } = this.#renaming;
    const text = arrival.body.toString("utf8");
    const isText = Buffer.from(text, "utf8").equals(arrival.body);
    const renamed: Arrival = Object.create(arrival, {
      headers: { value: spellings.toParent.headers(arrival.headers), enumerable: true },
      body: { value: isText ? Buffer.from(spellings.toParent.text(text), "utf8") : arrival.body, enumerable: true },
      came: { value: { body: arrival.body, member: names.member }, enumerable: true },
    });
    this.#arrivals.set(arrival, renamed);
    this.#originals.set(renamed, arrival);
    return renamed;
  }

  #originalOf<T>(value: T): T {
    const original = typeof value === "object" && value !== null ? this.#originals.get(value) : undefined;
    return (original ?? value) as T;
  }
}

/** The conversions of messages from the parent's names to the pack's, and back. */
export function messageSpellings(
  extension: Extension,
  swap?: ValueSwap,
): Record<"toPack" | "toParent", MessageSpelling> {
  const names = namesOf(extension);
  const members = Object.keys(extension.rename?.members ?? {});
  const renamedSwap = swap && { ...swap, member: names.member(swap.member) };
  return {
    toPack: spellingOf(names, members, renamedSwap),
    toParent: spellingOf(names.back(), members.map(names.member), swap),
  };
}

/** Creates the conversion in one direction. The member in `swap` already has its new name. */
function spellingOf(names: NameChange, members: readonly string[], swap: ValueSwap | undefined): MessageSpelling {
  const bothNames = members.flatMap((name) => [name, names.member(name)]);
  const memberPattern = new RegExp(
    bothNames.length === 0 ? "(?!)" : `"(${bothNames.map(escapePattern).join("|")})"(?=\\s*:)`,
    "g",
  );
  const swapPattern = new RegExp(
    swap === undefined ? "(?!)" : `("${escapePattern(swap.member)}"\\s*:\\s*")([^"\\\\]*)(?=")`,
    "g",
  );
  return {
    value: (value) => swapValues(names.members(value), swap),
    text: (text) =>
      text
        .replace(memberPattern, (_, name: string) => `"${names.member(name)}"`)
        .replace(swapPattern, (_, prefix: string, value: string) => `${prefix}${otherValue(value, swap)}`),
    headers: (headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [renameHeader(name, names), value])),
  };
}

/** Renames a header. Other headers keep their letter case. */
function renameHeader(name: string, names: NameChange): string {
  const lower = name.toLowerCase();
  const renamed = names.member(lower);
  return renamed === lower ? name : renamed;
}

function escapePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}

function withoutMembers(value: Json, hidden: readonly string[] = []): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.includes(name)));
}

function swapValues(value: Json, swap: ValueSwap | undefined): Json {
  if (swap === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => swapValues(item, swap));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, Json] => [
      name,
      name === swap.member && typeof member === "string" ? otherValue(member, swap) : swapValues(member, swap),
    ]),
  );
}

function otherValue(value: string, swap: ValueSwap | undefined): string {
  const [first = value, second = value] = swap?.values ?? [];
  if (value === first) return second;
  return value === second ? first : value;
}
