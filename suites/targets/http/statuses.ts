import { limitsWithoutTime } from "../../base/http/postponement.ts";

/** Advice for each status that concerns the delivery of the request, not the document. */
export const statusAdvice: Readonly<Record<number, string>> = {
  401: "give credentials as headers",
  403: "the credentials given do not allow this",
  402: "payment is required first",
  405: "the path does not allow this method: name the server's own path with --endpoint",
  406: "the server cannot answer in JSON",
  407: "a proxy is in front of the server: give the server's own address",
  408: "the server timed out waiting for the request",
  411: "the server needs a Content-Length",
  413: "the request body is too large for the server",
  414: "the address is too long for the server",
  415: "the server does not accept this content type",
  417: "the server does not support the Expect header",
  421: "another server is responsible: give its address",
  423: "the resource is locked",
  425: "the server does not accept early data",
  426: "the server needs another HTTP version",
  428: "the server needs a conditional request",
  429: limitsWithoutTime,
  431: "the request headers are too large for the server: send fewer with --header",
  451: "unavailable for legal reasons",
};
