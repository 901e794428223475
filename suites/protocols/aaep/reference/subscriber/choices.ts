import type { PartyChoice } from "../party-choice.ts";
import type { SubscriberPolicy } from "./model.ts";

/** Choices of conforming subscribers. */
export const subscriberChoices: readonly PartyChoice<SubscriberPolicy>[] = [
  {
    name: "words-before",
    kind: "freedom",
    freedoms: ["interruptions"],
    says: "adds its own words to each announcement",
    changePolicy: ({ changeAnnouncement }) => ({
      changeAnnouncement: (...announcement) => {
        const item = changeAnnouncement(...announcement);
        return item === undefined ? item : { ...item, text: `Listen. ${item.text}` };
      },
    }),
  },
  {
    name: "questions-in-their-own-words",
    kind: "freedom",
    freedoms: ["words-of-questions"],
    says: "reads out the action and the consequence of a question instead of a summary",
    changePolicy: ({ changeAnnouncement }) => ({
      changeAnnouncement: (item, event, terms) =>
        changeAnnouncement(
          typeof event.action === "string" && typeof event.consequence === "string"
            ? { ...item, text: `Please decide: ${event.action}. If you accept: ${event.consequence}` }
            : item,
          event,
          terms,
        ),
    }),
  },
  {
    name: "words-uttered",
    kind: "freedom",
    freedoms: ["token-level-output"],
    says: "announces output word by word",
    changePolicy: ({ announcesAt }) => ({ announcesAt: (hint) => hint === "word" || announcesAt(hint) }),
  },
  {
    name: "invalid-events-presented",
    kind: "freedom",
    freedoms: [],
    says: "presents an invalid event, and notes that it is invalid",
    changePolicy: () => ({ dropsInvalid: false }),
  },
];
