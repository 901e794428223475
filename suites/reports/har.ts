import type { HttpExchange, Report, Result } from "../../schemas/index.ts";
import { escapeInvisibleJson } from "../base/text/escape.ts";
import type { Format } from "./format.ts";

/** Renders the HTTP exchanges of a report as HAR 1.2. The page of an exchange is its vector, or the rule of its scenario. Bodies are shortened and secrets hidden, as in other reports. A report does not contain the times of single exchanges: all begin with the run, and -1 means "unknown". */
export const har: Format = {
  name: "har",
  extension: "har",
  render(report) {
    const entries = report.runs
      .flatMap((run) => run.results)
      .map((result) => ({ result, exchanges: exchangesOf(result) }))
      .filter(({ exchanges }) => exchanges.length > 0);
    const log = {
      version: "1.2",
      creator: { name: "Touchstone", version: report.tool.version },
      pages: entries.map(({ result }) => formatPage(report, result)),
      entries: entries.flatMap(({ result, exchanges }) =>
        exchanges.map((exchange) => formatEntry(report, result, exchange)),
      ),
      comment: "Times of single exchanges were not measured.",
    };
    return `${escapeInvisibleJson(JSON.stringify({ log }, null, 2))}\n`;
  },
};

function exchangesOf({ answer, exchanges = [] }: Result): HttpExchange[] {
  return [...exchanges, ...(answer?.exchange === undefined ? [] : [answer.exchange])];
}

/** Formats a result as a page. The format allows custom fields that begin with an underscore. */
function formatPage({ started }: Report, { id, description, outcome, rule }: Result): object {
  return {
    startedDateTime: started,
    id,
    title: `${outcome}: ${description}`,
    pageTimings: {},
    _outcome: outcome,
    ...(rule === undefined ? {} : { _rule: rule }),
  };
}

function formatEntry({ started }: Report, { id }: Result, { request, response }: HttpExchange): object {
  const { method, body } = request;
  const url = addressOf(request.url);
  return {
    pageref: id,
    startedDateTime: started,
    time: 0,
    request: {
      method,
      url: strictUrl(url),
      ...sharedMembers(request.headers),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      ...(body === "" ? {} : { postData: { mimeType: typeOf(request.headers), text: body } }),
    },
    response: {
      // Without an answer there is no status, and browsers write 0.
      status: response?.status ?? 0,
      statusText: "",
      ...sharedMembers(response?.headers ?? {}),
      content: {
        size: Buffer.byteLength(response?.body ?? ""),
        mimeType: typeOf(response?.headers ?? {}),
        ...(response === undefined ? {} : { text: response.body }),
      },
      redirectURL: headerIn(response?.headers ?? {}, "location") ?? "",
      ...(response === undefined ? { comment: "no answer" } : {}),
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: -1 },
  };
}

/** Members that requests and responses share. Cookies stay among the headers, where secrets are hidden. */
function sharedMembers(headers: Readonly<Record<string, string>>): object {
  const headerList = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return { httpVersion: "HTTP/1.1", cookies: [], headers: headerList, headersSize: -1, bodySize: -1 };
}

/** The format requires an absolute URL, but a URL in a report may be cut, or may come from a hostile target. */
function addressOf(url: string): URL {
  const placeholder = "http://unknown.invalid/";
  return URL.canParse(url, placeholder)
    ? new URL(url, placeholder)
    : new URL(encodeURIComponent(url.toWellFormed()), placeholder);
}

/** Encodes the URL as RFC 3986 requires, because browsers accept characters that it forbids. */
function strictUrl({ href, origin }: URL): string {
  const pathStart = href.startsWith(origin) ? origin.length : 0;
  return (
    href.slice(0, pathStart) +
    href.slice(pathStart).replace(/[^\w.~:/?#@!$&'()*+,;=%-]|%(?![0-9a-f]{2})/gi, encodeURIComponent)
  );
}

function typeOf(headers: Readonly<Record<string, string>>): string {
  return headerIn(headers, "content-type") ?? "application/octet-stream";
}

function headerIn(headers: Readonly<Record<string, string>>, headerName: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === headerName)?.[1];
}
