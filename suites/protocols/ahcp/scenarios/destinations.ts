import {
  type Callback,
  hookAnswer,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import {
  bindAnyway,
  type PushOptions,
  reachesCallback,
  submitToNowhere,
  unroutableHosts,
  urlAtHost,
} from "./callback-hosts.ts";
import { awaitFirstPush, morePushesArrive, notYetReason } from "./due-messages.ts";
import { ask, task } from "./messages.ts";
import { askWithPush, movesPauses, pushNeeds, pushRequestMembers } from "./pushes.ts";
import { idOf, isAccepted, post, redAnswer, resolveMessage } from "./steps.ts";
import { carriesToken } from "./tokens.ts";

const secondMs = 1000;

/** Whether a token reaches a host. Uses a new callback for each host, so that a retry is not mistaken for a push to the next host. */
async function sendsTokenTo(context: ScenarioContext, host: string, pushing: PushOptions = {}): Promise<boolean> {
  const callback = await context.callback([200]);
  const hasArrived = await reachesCallback(context, callback, urlAtHost(host, callback), {
    scheme: "bearer",
    ...pushing,
  });
  const [push] = callback.arrivals;
  return hasArrived && push !== undefined && carriesToken(context, "bearer", push);
}

/** The reason to skip if a hub also refuses public addresses. */
const whyUnguarded =
  "callbacks at public addresses are refused as well: if https is required in production, receiver.url must begin with https://";

/** Whether a callback at a public address is accepted. Its message stays open, so nothing is pushed there. */
async function acceptsPublicAddress(context: ScenarioContext, callback: Callback): Promise<boolean> {
  for (const host of unroutableHosts) {
    const url = urlAtHost(host, callback);
    await bindAnyway(context, url);
    if (isAccepted(await post(context, ask(context, {}, await pushRequestMembers(context, url))))) return true;
  }
  return false;
}

/** The reason to skip if no token reaches a bound host. */
function whyUnknown(context: ScenarioContext, host: string): string {
  return `no token reached ${host} within ${boundOf(context, "first-push") / 1000} s of the outcome, although the host was made the agent's: check that the hub looks it up as the loopback interface`;
}

/** The finding about a token sent to an unbound host. It is uncertain, because the hub may be in development. */
function unownedHostText(host: string): string {
  return `a token is sent to ${host}, which is not the agent's: not a certain breach, since a hub in development may relax its checks of callbacks (AHCP-SSR-006)`;
}

/** How long to wait for a forbidden push, in milliseconds of the target's clock. Without a clock, at most the bound `no-push`. */
const silenceMs = 120_000;

/** Submits a message with this callback and ends it, so that its outcome would be pushed. Returns whether it was accepted. */
async function submitAndEnd(context: ScenarioContext, url: string, createMessage: typeof ask = ask): Promise<boolean> {
  const reply = await post(context, createMessage(context, {}, await pushRequestMembers(context, url)));
  const id = idOf(reply);
  if (!isAccepted(reply) || id === undefined) return false;
  await resolveMessage(context, id, createMessage === task ? { resolution: "completed" } : redAnswer);
  return true;
}

/** The host in a Host header, without its port. */
function hostIn(header: unknown): string {
  return String(header).replace(/:\d+$/, "");
}

/** Spellings of this machine's own address. */
const loopbackHosts = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "localhost",
  "localhost.",
];

/** Addresses of other machines. The suite never lets a hub push to them. */
const foreignHosts = [
  "169.254.169.254",
  "[::ffff:a9fe:a9fe]",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "[fd00::1]",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "[::ffff:10.0.0.1]",
  "[64:ff9b::a00:1]",
  "metadata.google.internal",
];

/** Whether a host is an address instead of a name. */
const isAddress = (host: string): boolean => /^[\d[]/.test(host);

const inProduction = ["receiver", "production", "secret", "resolve"] as const;

/** Whether the hub refuses private addresses and unbound hosts at all. If not, finer checks are pointless. */
async function isGuarded(context: ScenarioContext, callback: Callback): Promise<boolean> {
  await bindAnyway(context, urlAtHost("127.0.0.1", callback));
  if (await reachesCallback(context, callback, urlAtHost("127.0.0.1", callback))) return false;
  await context.hook("names", { host: "unbound.example", answers: [["127.0.0.1"]] });
  return !(await reachesCallback(context, callback, urlAtHost("unbound.example", callback)));
}

/** Submits a message with a token and a callback at a host with a public address. Returns its id, or the reason of the refusal. */
async function submitForHost(
  context: ScenarioContext,
  host: string,
  url: string,
): Promise<{ id: string } | { refusal: string }> {
  try {
    const { id } = await submitToNowhere(context, host, url, "bearer");
    // Make sure that all pushes stay on this machine.
    await context.hook("names", { host, answers: [["127.0.0.1"]] });
    return { id };
  } catch (error) {
    if (error instanceof TargetSkip) return { refusal: error.message };
    throw error;
  }
}

/** The reason why even a bound host is refused; undefined if it is accepted. */
async function refusalOfOwn(context: ScenarioContext, callback: Callback): Promise<string | undefined> {
  const url = urlAtHost("own.example", callback);
  await bindAnyway(context, url);
  const submission = await submitForHost(context, "own.example", url);
  return "refusal" in submission ? submission.refusal : undefined;
}

export const destinations: readonly Scenario[] = [
  // This scenario must be first: others bind hosts, and a bound host may be a suffix of these names.
  {
    name: "destinations-look-alikes",
    says: "no credential is sent to a host whose name only resembles a bound host",
    rules: ["AHCP-SSR-005"],
    needs: [...pushNeeds, "resolve", "bind"],
    withinMs: 500_000,
    waits: 4000,
    async play(context) {
      await bindAnyway(context, urlAtHost("agent.localhost", await context.callback([200])));
      // Begin with the expected push, to measure the delay of a push.
      const hasOwnToken = await sendsTokenTo(context, "agent.localhost", { isDue: true });
      if (await sendsTokenTo(context, "other.localhost"))
        return context.expect("AHCP-SSR-005", false, unownedHostText("other.localhost"), "SHOULD");
      if (!hasOwnToken) return context.skip("AHCP-SSR-005", whyUnknown(context, "agent.localhost"));
      const similarHosts = ["sub.agent.localhost", "evilagent.localhost", "agent.localhost.other.localhost"];
      for (const host of [...similarHosts, "agent.localhost@other.localhost"]) {
        const hasToken = await sendsTokenTo(context, host);
        context.expect("AHCP-SSR-005", !hasToken, `with agent.localhost made the agent's, a token is sent to ${host}`);
      }
    },
  },
  {
    name: "destinations-others-hosts",
    says: "no credential for one agent's messages is sent to another agent's host",
    rules: ["AHCP-SSR-005"],
    needs: [...pushNeeds, "resolve", "bind", "second-credential"],
    withinMs: 400_000,
    async play(context) {
      await bindAnyway(context, urlAtHost("only-a.localhost", await context.callback([200])));
      if (!(await sendsTokenTo(context, "only-a.localhost", { isDue: true })))
        return context.skip("AHCP-SSR-005", whyUnknown(context, "only-a.localhost"));
      if (await sendsTokenTo(context, "nobodys.localhost", { as: "b" }))
        return context.skip("AHCP-SSR-005", unownedHostText("nobodys.localhost"));
      const { a, b } = context.agents;
      const hasToken = await sendsTokenTo(context, "only-a.localhost", { as: "b" });
      const why = `only-a.localhost was made the host of "${a}", and a token is sent there for a message of "${b}"`;
      context.expect("AHCP-SSR-005", !hasToken, why);
    },
  },
  {
    name: "destinations-foreign",
    says: "no credential is sent to a host that is not known to be the agent's",
    rules: ["AHCP-SSR-001"],
    needs: [...inProduction, "names"],
    withinMs: 400_000,
    async play(context) {
      const callback = await context.callback([200]);
      await context.hook("names", { host: "foreign.example", answers: [["127.0.0.1"]] });
      const url = urlAtHost("foreign.example", callback);
      const hasToken = async (): Promise<boolean> => {
        const [firstPush] = callback.arrivals;
        return firstPush !== undefined && carriesToken(context, "bearer", firstPush);
      };
      const why = "a token is sent to a host that is not bound to the agent";
      const hasArrived = await reachesCallback(context, callback, url, { scheme: "bearer" });
      context.expect("AHCP-SSR-001", !(await hasToken()), why);
      if (hasArrived)
        return context.expect("AHCP-SSR-001", await hasToken(), "a signed push is sent to such a host", "SHOULD");
      const submission = await submitForHost(context, "foreign.example", url);
      if ("id" in submission) {
        await resolveMessage(context, submission.id);
        await morePushesArrive(context, callback, 0, 4 * secondMs);
        context.expect("AHCP-SSR-001", !(await hasToken()), why);
        const whyAccepted =
          "a callback at a host that is not the agent's is accepted if its name leads to a public address";
        const whyUnseen =
          "nothing shows whether a token is sent there, since nothing is pushed to the suite's private address";
        return context.skip("AHCP-SSR-001", `${whyAccepted}; ${whyUnseen}`);
      }
      const whyRefused = "a callback at a host that is not the agent's is refused";
      if (!context.has("bind"))
        return context.skip(
          "AHCP-SSR-001",
          `${whyRefused}; the hook "bind" is needed to see whether the host is the reason`,
        );
      const refusal = await refusalOfOwn(context, callback);
      if (refusal !== undefined)
        context.skip("AHCP-SSR-001", `${whyRefused}, and so is one at a host that was made the agent's: ${refusal}`);
    },
  },
  {
    name: "destinations-private",
    says: "nothing is sent to private, link-local and metadata addresses, however they are written",
    rules: ["AHCP-SSR-002"],
    needs: [...inProduction, "bind"],
    withinMs: 500_000,
    async play(context) {
      const [callback, taskCallback] = [await context.callback([200]), await context.callback([200])];
      const acceptedHosts: string[] = [];
      for (const host of loopbackHosts) {
        const url = urlAtHost(host, callback);
        await bindAnyway(context, url);
        if (await submitAndEnd(context, url)) acceptedHosts.push(host);
      }
      const isTaskAccepted = await submitAndEnd(context, urlAtHost("127.0.0.1", taskCallback), task);
      // Wait once for all hosts: a hub that accepts them all checks each when it pushes.
      const hasArrived = acceptedHosts.length > 0 && (await morePushesArrive(context, callback, 0, silenceMs));
      const servedHosts = callback.arrivals.map(({ headers }) => hostIn(headers.host));
      context.expect("AHCP-SSR-002", !hasArrived, `a callback at ${[...new Set(servedHosts)].join(", ")} is served`);
      const isServed = isTaskAccepted && (await morePushesArrive(context, taskCallback, 0, silenceMs));
      context.expect("AHCP-SSR-002", !isServed, "a callback of a task at 127.0.0.1 is served");
      if (!(await acceptsPublicAddress(context, callback))) context.skip("AHCP-SSR-002", whyUnguarded);
      const isAnyAccepted = acceptedHosts.length > 0 || isTaskAccepted;
      if (isAnyAccepted && !hasArrived && !isServed && !(await movesPauses(context)))
        context.skip("AHCP-SSR-002", `callbacks at private addresses are accepted: ${notYetReason(context)}`);
      const acceptedForeignHosts = new Set<string>();
      // If nothing listens at [::1], it is tested like a foreign address.
      for (const host of ["[::1]", ...foreignHosts]) {
        const url = urlAtHost(host, callback);
        await bindAnyway(context, url);
        const reply = await post(context, ask(context, {}, await pushRequestMembers(context, url)));
        // A hub may accept the message. It stays open, because even a cancellation would be pushed there.
        const hasNotCrashed = reply.status < 500;
        context.expect("AHCP-SSR-002", hasNotCrashed, `a callback at ${host} crashes the hub: HTTP ${reply.status}`);
        if (isAccepted(reply)) acceptedForeignHosts.add(host);
      }
      // If 10.0.0.1 is accepted, the hub checks addresses only when it pushes.
      const acceptedAddresses = acceptedForeignHosts.has("10.0.0.1") ? [] : [...acceptedForeignHosts].filter(isAddress);
      const why = `a callback at 10.0.0.1 is refused, and one at ${acceptedAddresses.join(", ")} is accepted: check that nothing is pushed there`;
      context.expect("AHCP-SSR-002", acceptedAddresses.length === 0, why, "SHOULD");
    },
  },
  {
    name: "destinations-by-then",
    says: "the address of a host is checked when the hub pushes",
    rules: ["AHCP-SSR-003"],
    needs: [...inProduction, "bind", "names"],
    withinMs: 400_000,
    waits: 24_000,
    async play(context) {
      const callback = await context.callback([200]);
      if (!(await isGuarded(context, callback)))
        return context.skip("AHCP-SSR-003", "private addresses or unbound hosts are served anyway");
      const url = urlAtHost("bound.example", callback);
      await bindAnyway(context, url);
      const answers: ((nowhere: string) => string[][])[] = [
        ...["127.0.0.1", "::1", "::ffff:127.0.0.1"].map((address) => () => [[address]]),
        // A different address for each lookup, or two addresses in one answer.
        (nowhere) => [[nowhere], ["127.0.0.1"]],
        (nowhere) => [[nowhere, "127.0.0.1"]],
        (nowhere) => [["127.0.0.1", nowhere]],
      ];
      for (const answersOf of answers) {
        const { arrivals } = callback;
        // The address must be harmless when the message is submitted, because the hub may check it at that time.
        const { id, nowhere } = await submitToNowhere(context, "bound.example", url);
        const laterAnswers = answersOf(nowhere);
        await context.hook("names", { host: "bound.example", answers: laterAnswers });
        await resolveMessage(context, id);
        const hasArrived = await morePushesArrive(context, callback, arrivals.length, 4 * secondMs);
        const why = `a name that leads to ${laterAnswers.flat().join(" and ")} by the time of the push is followed there`;
        context.expect("AHCP-SSR-003", !hasArrived, why);
      }
    },
  },
  {
    name: "destinations-relaxed",
    says: "the checks of callbacks cannot be relaxed in production",
    rules: ["AHCP-SSR-006"],
    needs: [...inProduction, "profile", "bind"],
    withinMs: 60_000,
    async play(context) {
      const callback = await context.callback([200]);
      const url = urlAtHost("127.0.0.1", callback);
      await bindAnyway(context, url);
      if (await reachesCallback(context, callback, url))
        return context.skip("AHCP-SSR-006", "private addresses are served without any relaxation");
      try {
        const { relaxed, applied: isApplied } = await context.hook("profile", { profile: "production", relaxed: true });
        // A hub may refuse to relax its checks. An answer without `relaxed` means that it does not know the option.
        if (relaxed === undefined && isApplied !== false)
          return context.skip(
            "AHCP-SSR-006",
            'the hook "profile" does not say whether checks are {"relaxed": …}',
            hookAnswer("profile"),
          );
        const hasArrived = await reachesCallback(context, callback, url);
        if (!hasArrived && !(await acceptsPublicAddress(context, callback)))
          return context.skip("AHCP-SSR-006", whyUnguarded);
        context.expect("AHCP-SSR-006", !hasArrived, "in production, with checks relaxed, a private address is served");
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
    withinMs: 500_000,
    waits: 10_000,
    async play(context) {
      const redirectTarget = await context.callback([200]);
      for (const status of [301, 302, 303, 307, 308]) {
        const callback = await context.callback([{ status, headers: { location: redirectTarget.url } }]);
        const { id } = await askWithPush(context, callback);
        await resolveMessage(context, id);
        await awaitFirstPush(context, callback);
        const isFollowed = await morePushesArrive(context, redirectTarget, 0, 2 * secondMs);
        context.expect("AHCP-SSR-004", !isFollowed, `a redirect with HTTP ${status} is followed`);
        if (isFollowed) return;
      }
    },
  },
];
