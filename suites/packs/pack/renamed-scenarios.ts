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

/** A value of a member, such as a later version, that replaces the parent's value. The two values are exchanged, so that the change can be undone. */
export interface Restamp {
  /** The member, in the parent's names. */
  member: string;
  values: readonly [string, string];
}

/** How a pack differs from its parent in the parts that the parent's scenarios examine. */
export interface PlayedApart {
  restamp?: Restamp;
  /** Members of answers that are new in the pack and change by themselves: the scenarios do not see them. */
  hides?: readonly string[];
  /** Rules of the parent with advice that the pack lifts; their requirements stay. */
  lifts?: readonly string[];
}

/** Adapts scenarios of the parent to the names of the pack: they read and write the parent's names, and the target sees its own. Rules that the pack does not cover are not judged; a scenario with only such rules is left out. */
export function inNames(
  scenarios: readonly Scenario[],
  { extends: extension, rules }: Protocol,
  apart: PlayedApart = {},
): Scenario[] {
  if (extension === undefined) return [...scenarios];
  const names = namesOf(extension);
  const spellings = spellingsOf(extension, apart.restamp);
  const covered = new Set(rules.filter(({ status }) => "covered" in status).map(({ id }) => id));
  const keepRules = (ids: readonly string[]): string[] => ids.map(names.id).filter((id) => covered.has(id));
  return scenarios.flatMap((scenario) => {
    const own = keepRules(scenario.rules);
    const { independent } = scenario;
    if (own.length === 0) return [];
    return {
      ...scenario,
      says: names.text(scenario.says),
      rules: own,
      ...(independent === undefined ? {} : { independent: keepRules(independent) }),
      play: (context) =>
        scenario.play(new RenamedContext(context, { names, spellings, rules: new Set(own), apart }).asParent()),
    };
  });
}

/** Converts messages to the names of the other side. Only members are renamed: the texts belong to the parties. */
export interface MessageSpelling {
  value(value: Json): Json;
  text(text: string): string;
  headers<T>(headers: Readonly<Record<string, T>>): Record<string, T>;
}

interface ScenarioRenaming {
  names: NameChange;
  spellings: Record<"out" | "back", MessageSpelling>;
  /** The ids of the rules that are judged. */
  rules: ReadonlySet<string>;
  apart: PlayedApart;
}

/** A context for the parent's scenarios. */
class RenamedContext {
  readonly #context: ScenarioContext;
  readonly #renaming: ScenarioRenaming;
  /** The originals of the objects that the scenario holds. */
  readonly #originals = new WeakMap<object, object>();
  readonly #arrivals = new WeakMap<Arrival, Arrival>();

  constructor(context: ScenarioContext, renaming: ScenarioRenaming) {
    this.#context = context;
    this.#renaming = renaming;
  }

  asParent(): ScenarioContext {
    const { setting, signal, agents } = this.#context;
    return { ...this.#context, setting, signal, agents, ...this.#exchanging(), ...this.#calling(), ...this.#finding() };
  }

  #exchanging(): Pick<ScenarioContext, "send" | "stream" | "socket" | "later" | "fetch"> {
    const context = this.#context;
    const { names, spellings } = this.#renaming;
    const { out } = spellings;
    return {
      send: async ({ body, headers, ...asked }) =>
        this.#reply(
          await context.send({
            ...asked,
            path: names.text(asked.path),
            ...(body === undefined ? {} : { body: typeof body === "string" ? out.text(body) : out.value(body) }),
            ...(headers === undefined ? {} : { headers: out.headers(headers) }),
          }),
        ),
      stream: (asked) => context.stream({ ...asked, path: names.text(asked.path), body: out.text(asked.body) }),
      socket: (asked) => context.socket({ ...asked, path: names.text(asked.path) }),
      later: (answer, tries) => context.later(this.#original(answer), tries),
      fetch: async (url) => {
        const reply = await context.fetch(url);
        return reply && this.#reply(reply);
      },
    };
  }

  #calling(): Pick<ScenarioContext, "callback" | "come" | "violations"> {
    const context = this.#context;
    const { names, spellings } = this.#renaming;
    const before = names.back();
    return {
      callback: async (reactions, tail) => this.#callback(await context.callback(reactions, tail)),
      come: (callback, count, milliseconds) => context.come(this.#original(callback), count, milliseconds),
      violations: async (document, instance) => {
        const found = await context.violations(document, spellings.out.value(instance));
        return found.map(({ rule, at, ...more }) => ({
          ...more,
          at: before.pointer(at),
          ...(rule === undefined ? {} : { rule: before.id(rule) }),
        }));
      },
    };
  }

  #finding(): Pick<ScenarioContext, "expect" | "note" | "skip"> {
    const context = this.#context;
    const { names, rules, apart } = this.#renaming;
    return {
      expect: (rule, holds, why, ...more) => {
        if (apart.lifts?.includes(rule) && more.includes("SHOULD")) return;
        const evidence = more.map((each) => this.#original(each));
        if (rules.has(names.id(rule))) context.expect(names.id(rule), holds, names.text(why), ...evidence);
      },
      note: (rule, why) => {
        if (rules.has(names.id(rule))) context.note(names.id(rule), names.text(why));
      },
      skip: (rule, why, cause) => {
        if (rules.has(names.id(rule))) context.skip(names.id(rule), names.text(why), cause);
      },
    };
  }

  #reply(reply: HttpReply): HttpReply {
    const { spellings, apart } = this.#renaming;
    const { back } = spellings;
    const { headers, text, json } = reply;
    // Inherited, since the exchange is computed on demand.
    const made: HttpReply = Object.create(reply, {
      headers: { value: back.headers(headers), enumerable: true },
      text: { value: back.text(text), enumerable: true },
      json: { value: json === undefined ? undefined : without(back.value(json), apart.hides), enumerable: true },
    });
    this.#originals.set(made, reply);
    return made;
  }

  #callback(callback: Callback): Callback {
    const inOther = (arrival: Arrival): Arrival => this.#arrival(arrival);
    const made: Callback = {
      url: callback.url,
      get arrivals() {
        return callback.arrivals.map(inOther);
      },
      come: (count, milliseconds) => callback.come(count, milliseconds),
    };
    this.#originals.set(made, callback);
    return made;
  }

  /** Returns the same object each time; a time noted later is noted on the original. */
  #arrival(arrival: Arrival): Arrival {
    const before = this.#arrivals.get(arrival);
    if (before !== undefined) return before;
    const { names, spellings } = this.#renaming;
    const text = arrival.body.toString("utf8");
    const isText = Buffer.from(text, "utf8").equals(arrival.body);
    const made: Arrival = Object.create(arrival, {
      headers: { value: spellings.back.headers(arrival.headers), enumerable: true },
      body: { value: isText ? Buffer.from(spellings.back.text(text), "utf8") : arrival.body, enumerable: true },
      came: { value: { body: arrival.body, member: names.member }, enumerable: true },
    });
    this.#arrivals.set(arrival, made);
    this.#originals.set(made, arrival);
    return made;
  }

  #original<T>(made: T): T {
    const known = typeof made === "object" && made !== null ? this.#originals.get(made) : undefined;
    return (known ?? made) as T;
  }
}

/** How messages are converted from the parent's names to the pack's, and back. */
export function spellingsOf(extension: Extension, restamp?: Restamp): Record<"out" | "back", MessageSpelling> {
  const names = namesOf(extension);
  const members = Object.keys(extension.rename?.members ?? {});
  const turned = restamp && { ...restamp, member: names.member(restamp.member) };
  return {
    out: spellingOf(names, members, turned),
    back: spellingOf(names.back(), members.map(names.member), restamp),
  };
}

/** `restamp` names the member as it is after the renaming. */
function spellingOf(names: NameChange, members: readonly string[], restamp: Restamp | undefined): MessageSpelling {
  const both = members.flatMap((name) => [name, names.member(name)]);
  const inText = new RegExp(both.length === 0 ? "(?!)" : `"(${both.map(literal).join("|")})"(?=\\s*:)`, "g");
  const stamps = new RegExp(
    restamp === undefined ? "(?!)" : `("${literal(restamp.member)}"\\s*:\\s*")([^"\\\\]*)(?=")`,
    "g",
  );
  return {
    value: (value) => restampValue(names.members(value), restamp),
    text: (text) =>
      text
        .replace(inText, (_, name: string) => `"${names.member(name)}"`)
        .replace(stamps, (_, before: string, value: string) => `${before}${otherOf(value, restamp)}`),
    headers: (headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [headerIn(name, names), value])),
  };
}

/** Other headers keep their letter case. */
function headerIn(name: string, names: NameChange): string {
  const lower = name.toLowerCase();
  const other = names.member(lower);
  return other === lower ? name : other;
}

function literal(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}

function without(value: Json, hidden: readonly string[] = []): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.includes(name)));
}

function restampValue(value: Json, restamp: Restamp | undefined): Json {
  if (restamp === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => restampValue(each, restamp));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]): [string, Json] => [
      name,
      name === restamp.member && typeof each === "string" ? otherOf(each, restamp) : restampValue(each, restamp),
    ]),
  );
}

function otherOf(value: string, restamp: Restamp | undefined): string {
  const [one = value, other = value] = restamp?.values ?? [];
  return value === one ? other : value === other ? one : value;
}
