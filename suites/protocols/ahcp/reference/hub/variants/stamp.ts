import { contextSigned, earlier, signing } from "./change.ts";
import { bodies, type HubVariant, inner, without } from "./variant.ts";

const digits = (now: number): string => String(Math.floor(now / 1000));

/** Hubs that break a rule on times, nonces and names in signatures. */
export const stampVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-SIG-006",
    says: "does not publish an algorithm that it signs with",
    policy: bodies("capability", (body) => ({ ...body, signature_algs: [] })),
  },
  {
    rule: "AHCP-SIG-007",
    name: "checklist",
    says: "signs the outcome of a task without its checklist",
    policy: signing((body) =>
      body.response === undefined ? body : { ...body, response: without(inner(body, "response"), "checklist") },
    ),
  },
  {
    rule: "AHCP-SIG-007",
    name: "scheme",
    says: "signs the URL with its scheme in small letters",
    policy: contextSigned((context, { url }) => ({
      ...context,
      callback_url: url.replace(/^[a-z]+/i, (scheme) => scheme.toLowerCase()),
    })),
  },
  {
    rule: "AHCP-SIG-007",
    name: "fragment",
    says: "signs the URL without an empty fragment",
    policy: contextSigned((context, { url }) => ({ ...context, callback_url: url.replace(/#$/, "") })),
  },
  {
    rule: "AHCP-SIG-007",
    name: "last-slash",
    says: "signs the URL without the slash at its end",
    policy: contextSigned((context, { url }) => ({ ...context, callback_url: url.replace(/\/$/, "") })),
  },
  {
    rule: "AHCP-SIG-007",
    says: "signs a tidied URL",
    policy: contextSigned((context, { url }) => {
      const tidy = new URL(url);
      tidy.searchParams.sort();
      return { ...context, callback_url: tidy.href };
    }),
  },
  {
    rule: "AHCP-SIG-007",
    name: "task",
    says: "signs no time of resolution for a task",
    policy: contextSigned((context, { attempt }) =>
      attempt.entry.message.type === "task" ? { ...context, resolved_at: "" } : context,
    ),
  },
  {
    rule: "AHCP-SIG-008",
    name: "first",
    says: "dates every attempt at the time of the first",
    policy: {
      stamp(now, { entry, number }) {
        const t = earlier.get(entry) ?? digits(now);
        earlier.set(entry, t);
        return { t, jti: `jti_${entry.id}_${number}` };
      },
    },
  },
  {
    rule: "AHCP-SIG-008",
    name: "first-real",
    says: "dates every attempt at the time of the first, and waits in real time between them",
    policy: {
      pause: (number) => [300, 600, 1200, 2400][number - 1],
      pausesReally: true,
      stamp(_now, { entry, number }) {
        const t = earlier.get(entry) ?? digits(Date.now());
        earlier.set(entry, t);
        return { t, jti: `jti_${entry.id}_${number}` };
      },
    },
  },
  {
    rule: "AHCP-SIG-008",
    name: "late",
    says: "dates attempts from the fourth on at the time of the third",
    policy: {
      stamp(now, { entry, number }) {
        const t = (number < 4 ? undefined : earlier.get(entry)) ?? digits(now);
        earlier.set(entry, t);
        return { t, jti: `jti_${entry.id}_${number}` };
      },
    },
  },
  {
    rule: "AHCP-SIG-008",
    name: "minutes",
    says: "dates repeated pushes some minutes too early",
    policy: {
      stamp: (now, { entry, number }) => ({
        t: String(Math.floor(now / 1000) - (number > 1 ? 150 : 0)),
        jti: `jti_${entry.id}_${number}`,
      }),
    },
  },
  {
    rule: "AHCP-SIG-008",
    says: "dates every attempt at the time of the resolution",
    policy: {
      stamp: (_now, { entry, number }) => ({
        t: String(Math.floor(entry.changedAt / 1000)),
        jti: `jti_${entry.id}_${number}`,
      }),
    },
  },
  {
    rule: "AHCP-SIG-009",
    name: "number",
    says: "counts its nonces from one for every message",
    policy: { stamp: (now, { number }) => ({ t: digits(now), jti: `jti_${number}` }) },
  },
  {
    rule: "AHCP-SIG-009",
    says: "uses one nonce for all attempts",
    policy: { stamp: (now, { entry }) => ({ t: String(Math.floor(now / 1000)), jti: `jti_${entry.id}` }) },
  },
  {
    rule: "AHCP-SIG-010",
    says: "has a signer that signs something else than it is given, when it is asked by itself",
    policy: { sample: (header) => header.replace(/v1=.*$/, `v1=${"A".repeat(43)}`) },
  },
];
