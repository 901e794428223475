import type { PartyChoice } from "../choice.ts";
import type { SubscriberPolicy } from "./model.ts";

/** The differences between right subscribers. */
export const subscriberChoices: readonly PartyChoice<SubscriberPolicy>[] = [
  {
    name: "words-before",
    kind: "freedom",
    freedoms: ["interruptions"],
    says: "adds words of its own to each announcement",
    makes: ({ announces }) => ({
      announces: (...given) => {
        const item = announces(...given);
        return item === undefined ? item : { ...item, text: `Listen. ${item.text}` };
      },
    }),
  },
  {
    name: "questions-in-their-own-words",
    kind: "freedom",
    freedoms: ["words-of-questions"],
    says: "speaks the action and the consequence of a question instead of a summary",
    makes: ({ announces }) => ({
      announces: (item, event, wanted) =>
        announces(
          typeof event.action === "string" && typeof event.consequence === "string"
            ? { ...item, text: `Please decide: ${event.action}. If you accept: ${event.consequence}` }
            : item,
          event,
          wanted,
        ),
    }),
  },
  {
    name: "words-uttered",
    kind: "freedom",
    freedoms: ["token-level-output"],
    says: "announces output word by word",
    makes: ({ utters }) => ({ utters: (hint) => hint === "word" || utters(hint) }),
  },
  {
    name: "invalid-events-presented",
    kind: "freedom",
    freedoms: [],
    says: "presents an event that is not valid, and notes that it is not",
    makes: () => ({ dropsInvalid: false }),
  },
];
