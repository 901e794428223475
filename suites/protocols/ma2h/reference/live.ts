import { type Extension, type LiveReference, type LiveVariant, protocolNamed } from "../../../../schemas/index.ts";
import { messageSpellings } from "../../../packs/pack/renamed-scenarios.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { recordReads } from "../../../packs/reference/reads.ts";
import type { HubPolicy, RunningHub } from "../../ahcp/reference/hub/hub.ts";
import { correctHubPolicy } from "../../ahcp/reference/hub/policy.ts";
import type { HubOptions } from "../../ahcp/reference/hub/start.ts";
import { startHub } from "../../ahcp/reference/hub/start.ts";
import { live as ahcpLive, hubCredentials, hubEnvironment } from "../../ahcp/reference/live.ts";
import * as signature from "../../ahcp/rules/signature.ts";
import { versionMember } from "../rules/spelling.ts";
import { mailAgentEnvironment } from "./agent/agent.ts";
import { rightMailAgent } from "./agent/policy.ts";
import { mailAgents } from "./agent/variants.ts";
import { addDestination, anyInvocation, foreignName, mayResolve, objectionTo } from "./hub/addressing.ts";
import { postChoices } from "./hub/choices.ts";
import { correctDecisions } from "./hub/decisions.ts";
import { emptyPost } from "./hub/mail.ts";
import { operationsOf } from "./hub/person.ts";
import type { PostOffice } from "./hub/post.ts";
import { correctPostDecisions, type PostDecisions } from "./hub/post-decisions.ts";
import { postVariants } from "./hub/post-variants.ts";
import { ownRoutes } from "./hub/routes.ts";
import { ownVariants } from "./hub/variants.ts";
import { inOwnNames } from "./service.ts";

/** AHCP's signatures of pushes, but with the version signed under its MA2H name. */
const signatures: typeof signature = {
  ...signature,
  signedContext(...context) {
    const { [signature.versionMember]: version = "", ...members } = signature.signedContext(...context);
    return { ...members, [versionMember]: version };
  },
  sign(response, url, stamp, key) {
    const { [versionMember]: version, ...members } = response;
    // The response may be one that was sent, with the version under its MA2H name.
    const content = version === undefined ? response : { ...members, [signature.versionMember]: version };
    const signedText = signatures.signedContext(content, url, stamp);
    return signature.formatHeader(stamp, signature.signatureOf(signedText, key));
  },
};

/** AHCP's correct policy, extended: answers have the version of their message, and messages have sessions and addressees. */
const policyOf = (office: () => PostOffice): HubPolicy => ({
  ...correctHubPolicy,
  mayResolve,
  refuseContent: (message) => objectionTo(office(), message),
  reply(reply, about) {
    const { route, entry } = about;
    const isAccepted = (route === "submit" || route === "replay") && entry !== undefined && reply.status === 202;
    return isAccepted ? addDestination(office(), reply, entry, route === "submit") : reply;
  },
  envelope(envelope, entry, hub) {
    const { [signature.versionMember]: version } = entry.message;
    return correctHubPolicy.envelope(
      version === undefined ? envelope : { ...envelope, [signature.versionMember]: version },
      entry,
      hub,
    );
  },
});

/** The options of AHCP's hub that make it an MA2H hub: MA2H's names, and its additional endpoints. */
function ma2hOptions({ variant, choices = [], ...ahcpOptions }: HubOptions = {}): HubOptions {
  const { toPack } = messageSpellings(protocolNamed("ma2h").extends as Extension);
  const brokenPost = postVariants.find((postVariant) => variantNameOf(postVariant) === variant);
  const brokenHub = brokenPost ?? ownVariants.find((ownVariant) => variantNameOf(ownVariant) === variant);
  const decisions = { ...correctDecisions, ...ownVariants.find((ownVariant) => ownVariant === brokenHub)?.decisions };
  let hub: () => RunningHub;
  const post = emptyPost();
  const chosenChoices = postChoices.filter(({ name }) => choices.includes(name));
  const chosenDecisions: Partial<PostDecisions> = Object.assign({}, ...chosenChoices.map(({ post }) => post));
  const { members: postDecisions, readNames } = recordReads<PostDecisions>({
    ...correctPostDecisions,
    ...chosenDecisions,
    ...brokenPost?.post,
  });
  const office = (): PostOffice => ({ hub: hub(), post, decisions: postDecisions, spelling: toPack });
  const { credentials } = ahcpOptions;
  const limits = { ...ahcpOptions.limits, ...limitsOf(brokenPost?.rule) };
  return {
    ...ahcpOptions,
    limits,
    ...(credentials === undefined ? {} : { credentials: { ...credentials, ...otherAgents } }),
    choices: choices.filter((name) => !chosenChoices.some((postChoice) => postChoice.name === name)),
    ...(variant === undefined || brokenHub !== undefined ? {} : { variant: variant.replace("MA2H-", "AHCP-") }),
    ...(brokenHub?.policy === undefined ? {} : { policy: brokenHub.policy }),
    dialect: { signatures, headers: toPack.headers, text: toPack.text },
    extended: {
      protocol: protocolNamed("ma2h"),
      correctPolicy: policyOf(office),
      amendPolicy: ({ isSame }) => ({
        isSame: (message, entry) => isSame(anyInvocation(message), { ...entry, message: anyInvocation(entry.message) }),
      }),
      operations: operationsOf(office),
      meets(name) {
        const choice = postChoices.find((postChoice) => postChoice.name === name);
        return choice && Object.keys(choice.post).some((decision) => readNames.has(decision));
      },
      service(ahcpService, opened) {
        hub = opened;
        return inOwnNames(ahcpService, ownRoutes(office, decisions, toPack));
      },
    },
  };
}

/** Low limits for the variants that break a limit, so that a scenario can reach them. */
function limitsOf(rule: string | undefined): HubOptions["limits"] {
  if (rule === "MA2H-LIM-007") return { addressedPerMinute: 40, requestsPerMinute: 40, inboxDepth: 300 };
  return rule === "MA2H-LIM-008" ? { inboxDepth: 60 } : {};
}

/** Additional agents, by the kind that the hook "another-agent" receives. */
const otherAgents = {
  hash: { agent: "touchstone#hash", token: "reference-token-hash" },
  [foreignName]: { agent: "touchstone-foreign", token: "reference-token-foreign" },
};

/** The variants of AHCP's hub whose rules are covered here, under their MA2H names. */
function inheritVariants(): LiveVariant[] {
  const { rules } = protocolNamed("ma2h");
  const coveredRules = new Set(rules.filter(({ status }) => "covered" in status).map(({ id }) => id));
  return ahcpLive.variants
    .map((variant) => ({
      ...variant,
      name: variant.name.replace("AHCP-", "MA2H-"),
      rule: variant.rule.replace("AHCP-", "MA2H-"),
    }))
    .filter(({ rule }) => coveredRules.has(rule));
}

/** Choices of AHCP's hub that MA2H does not allow: ids have to begin with `msg_`. */
const forbiddenChoices: ReadonlySet<string> = new Set(["odd-ids"]);

export const live: LiveReference = {
  ...ahcpLive,
  choices: [
    ...(ahcpLive.choices ?? []).filter(({ name }) => !forbiddenChoices.has(name)),
    ...postChoices.map(({ post: _, ...choice }) => choice),
  ],
  serve: (options) => startHub(ma2hOptions(options)),
  async open(options = {}) {
    const { side, variant } = options;
    if (side !== "agent") return hubEnvironment(ma2hOptions({ credentials: hubCredentials, ...options }));
    const brokenAgent = mailAgents.find((mailAgent) => variantNameOf(mailAgent) === variant);
    return mailAgentEnvironment({ ...rightMailAgent, ...brokenAgent?.policy }, options.timeScale);
  },
  variants: [
    ...inheritVariants(),
    ...[...ownVariants, ...postVariants].map((variant) => ({
      name: variantNameOf(variant),
      rule: variant.rule,
      says: variant.says,
    })),
    ...mailAgents.map((variant) => ({
      name: variantNameOf(variant),
      side: "agent",
      rule: variant.rule,
      says: variant.says,
    })),
  ],
};
