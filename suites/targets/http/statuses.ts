import { limitsWithoutTime } from "../../http/later.ts";

/** Statuses that say something about the request's way to the server, not about the document; what to do for each. */
export const advice: Readonly<Record<number, string>> = {
  401: "give credentials as headers",
  403: "the credentials given do not allow this",
  402: "the server wants to be paid first",
  405: "the path takes another method: name the server's own with --endpoint",
  406: "the server does not answer in JSON",
  407: "a proxy stands before the server: give the server's own address",
  408: "the server waited for the request in vain",
  411: "the server wants to know the length beforehand",
  413: "the server does not read so much",
  414: "the server does not read so long an address",
  415: "the server does not read this content type",
  417: "the server wants no expectations",
  421: "another server is responsible: give its address",
  423: "what is there is locked",
  425: "the server does not take what comes too early",
  426: "the server wants another HTTP version",
  428: "the server wants a condition to be met",
  429: limitsWithoutTime,
  431: "the server does not read so many headers: send fewer with --header",
  451: "the server may not answer, by law",
};
