import {
  type Callback,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { ask, by, task } from "./messages.ts";
import { askWithPush, bind, comes, dueWithin, exceeds, firstPush, pushNeeds, pushTo, submitPush } from "./pushes.ts";
import { idOf, isTaken, post, red, resolved } from "./steps.ts";
import { carriesToken } from "./tokens.ts";

const second = 1000;

/** Milliseconds for a push that does not come. */
const patience = 4 * second;

/** The callback's URL with another host before its port. */
export function at(host: string, { url }: Callback): string {
  return url.replace(/^(https?:\/\/)(?:\[[^\]]*\]|[^:/?#]+)/, `$1${host}`);
}

/** Makes a host the agent's, as far as the hub allows that: one that it does not is refused all the same. */
async function bindAnyway(context: ScenarioContext, url: string): Promise<void> {
  await tolerant(() => bind(context, url));
}

/** What is asked of a hub that may also refuse it. */
async function tolerant(wish: () => Promise<unknown>): Promise<void> {
  try {
    await wish();
  } catch (error) {
    if (!(error instanceof TargetFailure || error instanceof TargetSkip)) throw error;
  }
}

/** What is pushed, and as whom: an ask of the first agent under a scheme that the hub publishes, unless it says otherwise. */
interface Pushing {
  scheme?: "hmac" | "bearer";
  as?: "a" | "b";
  make?: typeof ask;
  /** It should come, and is waited for as any push is. */
  isDue?: boolean;
}

/** Whether anything comes to a callback after a message with this URL is answered; a refusal is as good as silence. */
async function reaches(
  context: ScenarioContext,
  callback: Callback,
  url: string,
  { scheme, as = "a", make = ask, isDue = false }: Pushing = {},
): Promise<boolean> {
  const before = callback.arrivals.length;
  const message = make(context, {}, await pushTo(context, url, scheme));
  const reply = await post(context, by(context.agents[as] as string, message), as);
  const id = idOf(reply);
  if (!isTaken(reply) || id === undefined) return false;
  await resolved(context, id, make === task ? { resolution: "completed" } : red);
  return isDue ? comes(context, callback, before + 1) : exceeds(context, callback, before, patience);
}

/** Whether a token comes to a host. A callback for each: what a hub sends again to one host must not be taken for a push to the next. */
async function tokenAt(context: ScenarioContext, host: string, pushing: Pushing = {}): Promise<boolean> {
  const callback = await context.callback([200]);
  const hasCome = await reaches(context, callback, at(host, callback), { scheme: "bearer", ...pushing });
  const [first] = callback.arrivals;
  return hasCome && first !== undefined && carriesToken(context, "bearer", first);
}

/** Why nothing is known of the credentials of other hosts. */
function unseen(context: ScenarioContext, host: string): string {
  return `no token came to ${host} within ${dueWithin(context) / second} s of the outcome, though the host was made the agent's`;
}

/** Spellings of this machine's own address. */
const loopbacks = [
  ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "[::1]", "[::]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "localhost", "localhost."],
];

/** Addresses that are others', so that nothing is ever resolved towards them. */
const foreign = [
  ...["169.254.169.254", "[::ffff:a9fe:a9fe]", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1"],
  ...["[fd00::1]", "[fe80::1]", "[fd00:ec2::254]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "metadata.google.internal"],
];

/** Whether a host is an address, and no name. */
const isAddress = (host: string): boolean => /^[\d[]/.test(host);

/** Addresses that count as public and where nobody serves: kept for documents (RFC 5737), and a sink of DNS queries (RFC 7535) for hubs that know the first. */
const nowheres = ["203.0.113.7", "192.31.196.7"];

const inProduction = ["receiver", "production", "secret", "resolve"] as const;

/** Whether private addresses, and hosts that are nobody's, are refused at all; when not, subtler questions say no more. */
async function isGuarded(context: ScenarioContext, callback: Callback): Promise<boolean> {
  await bindAnyway(context, at("127.0.0.1", callback));
  if (await reaches(context, callback, at("127.0.0.1", callback))) return false;
  await context.hook("names", { host: "unbound.example", answers: [["127.0.0.1"]] });
  return !(await reaches(context, callback, at("unbound.example", callback)));
}

/** The reason why nothing is pushed, with what would change that. */
function advised(error: unknown, url: string): unknown {
  if (!(error instanceof TargetSkip)) return error;
  const ours = `the name of the callback led to ${nowheres.join(", then to ")}, which stand for public addresses`;
  const isTls = url.startsWith("https:");
  const advice = isTls ? "" : "; a hub that wants https in production is asked where receiver.url begins with https://";
  return new TargetSkip(`${error.message}; ${ours}${advice}`);
}

/** Submits what is pushed to a name that leads to an address where nobody is, the first that the hub takes for public. */
async function submitToNowhere(
  context: ScenarioContext,
  host: string,
  url: string,
): Promise<{ id: string; nowhere: string }> {
  let reason: unknown;
  for (const nowhere of nowheres) {
    await context.hook("names", { host, answers: [[nowhere]] });
    try {
      const { id } = await submitPush(context, ask(context, {}, await pushTo(context, url)));
      return { id, nowhere };
    } catch (error) {
      if (!(error instanceof TargetSkip)) throw error;
      reason = error;
    }
  }
  throw advised(reason, url);
}

export const destinations: readonly Scenario[] = [
  // First: what is bound later may be the end of another host's name.
  {
    name: "destinations-look-alikes",
    says: "a host that only looks like the agent's gets no credential",
    rules: ["AHCP-SSR-005"],
    needs: [...pushNeeds, "resolve", "bind"],
    withinMs: 300_000,
    async play(context) {
      await bindAnyway(context, at("agent.localhost", await context.callback([200])));
      // First what should come: it shows how long what should not would take.
      const isOwn = await tokenAt(context, "agent.localhost", { isDue: true });
      // On one machine a hub in development may relax this as well (AHCP-SSR-006).
      if (await tokenAt(context, "other.localhost"))
        return context.expect("AHCP-SSR-005", false, "a token goes to other.localhost, which is nobody's", "SHOULD");
      if (!isOwn) return context.skip("AHCP-SSR-005", unseen(context, "agent.localhost"));
      const around = ["sub.agent.localhost", "evilagent.localhost", "agent.localhost.other.localhost"];
      for (const host of [...around, "agent.localhost@other.localhost"]) {
        const hasToken = await tokenAt(context, host);
        context.expect("AHCP-SSR-005", !hasToken, `with agent.localhost made the agent's, a token goes to ${host}`);
      }
    },
  },
  {
    name: "destinations-others-hosts",
    says: "a host that is one agent's gets no credential for another agent's messages",
    rules: ["AHCP-SSR-005"],
    needs: [...pushNeeds, "resolve", "bind", "second-credential"],
    withinMs: 120_000,
    async play(context) {
      await bindAnyway(context, at("only-a.localhost", await context.callback([200])));
      if (!(await tokenAt(context, "only-a.localhost", { isDue: true })))
        return context.skip("AHCP-SSR-005", unseen(context, "only-a.localhost"));
      if (await tokenAt(context, "nobodys.localhost", { as: "b" }))
        return context.skip("AHCP-SSR-005", "a token goes to nobodys.localhost, which is nobody's");
      const { a, b } = context.agents;
      const hasToken = await tokenAt(context, "only-a.localhost", { as: "b" });
      const why = `only-a.localhost was made the host of "${a}", and a token goes there for a message of "${b}"`;
      context.expect("AHCP-SSR-005", !hasToken, why);
    },
  },
  {
    name: "destinations-foreign",
    says: "no credential goes to a host that is not known to be the agent's",
    rules: ["AHCP-SSR-001"],
    needs: [...inProduction, "names"],
    withinMs: 120_000,
    async play(context) {
      const callback = await context.callback([200]);
      await context.hook("names", { host: "foreign.example", answers: [["127.0.0.1"]] });
      const hasCome = await reaches(context, callback, at("foreign.example", callback), { scheme: "bearer" });
      const [first] = callback.arrivals;
      const hasToken = hasCome && first !== undefined && (await carriesToken(context, "bearer", first));
      context.expect("AHCP-SSR-001", !hasToken, "a token goes to a host that nobody has made the agent's");
      if (hasCome && !hasToken) context.expect("AHCP-SSR-001", false, "a signed push goes to such a host", "SHOULD");
    },
  },
  {
    name: "destinations-private",
    says: "nothing is sent to private, link-local and metadata addresses, however they are written",
    rules: ["AHCP-SSR-002"],
    needs: [...inProduction, "bind"],
    withinMs: 300_000,
    async play(context) {
      const callback = await context.callback([200]);
      for (const host of loopbacks) {
        const url = at(host, callback);
        await bindAnyway(context, url);
        const hasCome = await reaches(context, callback, url);
        context.expect("AHCP-SSR-002", !hasCome, `a callback at ${host} is served`);
      }
      const isServed = await reaches(context, callback, at("127.0.0.1", callback), { make: task });
      context.expect("AHCP-SSR-002", !isServed, "a callback of a task at 127.0.0.1 is served");
      const taken = new Set<string>();
      // Nobody may listen at the first, which is then no better known than others' addresses.
      for (const host of ["[::1]", ...foreign]) {
        const url = at(host, callback);
        await bindAnyway(context, url);
        const reply = await post(context, ask(context, {}, await pushTo(context, url)));
        // One that is taken says nothing by itself, and stays open: even a cancellation would be pushed there.
        const isSane = reply.status < 500;
        context.expect("AHCP-SSR-002", isSane, `a callback at ${host} breaks the hub: HTTP ${reply.status}`);
        if (isTaken(reply)) taken.add(host);
      }
      // Who looks at addresses only when it pushes takes them all.
      const odd = taken.has("10.0.0.1") ? [] : [...taken].filter(isAddress);
      const why = `a callback at 10.0.0.1 is refused, and one at ${odd.join(", ")} is taken: see that nothing is pushed there`;
      context.expect("AHCP-SSR-002", odd.length === 0, why, "SHOULD");
    },
  },
  {
    name: "destinations-by-then",
    says: "where a name leads is looked at when it is pushed",
    rules: ["AHCP-SSR-003"],
    needs: [...inProduction, "bind", "names"],
    withinMs: 120_000,
    waits: 4000,
    async play(context) {
      const callback = await context.callback([200]);
      if (!(await isGuarded(context, callback)))
        return context.skip("AHCP-SSR-003", "private addresses, or anybody's hosts, are served as they are");
      const url = at("bound.example", callback);
      await bindAnyway(context, url);
      const answers: ((nowhere: string) => string[][])[] = [
        ...["127.0.0.1", "::1", "::ffff:127.0.0.1"].map((address) => () => [[address]]),
        // Another address with each lookup, and two at once: a harmless one first.
        (nowhere) => [[nowhere], ["127.0.0.1"]],
        (nowhere) => [[nowhere, "127.0.0.1"]],
        (nowhere) => [["127.0.0.1", nowhere]],
      ];
      for (const answersOf of answers) {
        const { arrivals } = callback;
        // A hub may look already when it takes the message, and must find nothing wrong then.
        const { id, nowhere } = await submitToNowhere(context, "bound.example", url);
        const later = answersOf(nowhere);
        await context.hook("names", { host: "bound.example", answers: later });
        await resolved(context, id);
        const hasCome = await exceeds(context, callback, arrivals.length, 4 * second);
        const why = `a name that leads to ${later.flat().join(" and ")} by the time of the push is followed there`;
        context.expect("AHCP-SSR-003", !hasCome, why);
      }
    },
  },
  {
    name: "destinations-relaxed",
    says: "what is relaxed for development is not in production",
    rules: ["AHCP-SSR-006"],
    needs: [...inProduction, "profile", "bind"],
    withinMs: 60_000,
    async play(context) {
      const callback = await context.callback([200]);
      const url = at("127.0.0.1", callback);
      await bindAnyway(context, url);
      if (await reaches(context, callback, url))
        return context.skip("AHCP-SSR-006", "private addresses are served without any relaxation");
      try {
        const { relaxed, applied } = await context.hook("profile", { profile: "production", relaxed: true });
        // A hub may refuse the very wish; a hub that does not report it does not know such a wish.
        if (relaxed === undefined && applied !== false)
          return context.skip("AHCP-SSR-006", 'the hook "profile" does not say whether checks are {"relaxed": …}');
        const hasCome = await reaches(context, callback, url);
        context.expect("AHCP-SSR-006", !hasCome, "in production, with checks relaxed, a private address is served");
      } finally {
        await context.hook("profile", { profile: "production", relaxed: false });
      }
    },
  },
  {
    name: "destinations-redirect",
    says: "redirects are not followed",
    rules: ["AHCP-SSR-004"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 300_000,
    waits: 2000,
    async play(context) {
      const hidden = await context.callback([200]);
      for (const status of [301, 302, 303, 307, 308]) {
        const callback = await context.callback([{ status, headers: { location: hidden.url } }]);
        const { id } = await askWithPush(context, callback);
        await resolved(context, id);
        await firstPush(context, callback);
        const isFollowed = await exceeds(context, hidden, 0, 2 * second);
        context.expect("AHCP-SSR-004", !isFollowed, `a redirect with HTTP ${status} is followed`);
        if (isFollowed) return;
      }
    },
  },
];
