import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Capability, type Protocol, type Question, type Target, TouchstoneError } from "../../schemas/index.ts";
import { skipText, skipWithoutValidator } from "../base/text/skips.ts";
import { defaultConcurrency } from "./at-once.ts";
import { capabilitiesOfShapes, claimsFrom } from "./claims.ts";
import { WorkerConnection } from "./connection/connection.ts";
import { hasNamed, mustBeOf } from "./module/document-names.ts";
import type { AboutModule } from "./module/import.ts";
import { type ModuleQuestion, startModule } from "./module/life.ts";

/**
 * Creates a target for a JavaScript or TypeScript module with a default export that judges instances: a function, an Ajv validator, a Standard Schema, or an object of those by document name or schema `$id`.
 * It always runs in its own process. An endless loop or a blocking call cannot be interrupted within the process that runs it, and a module may also exit, run out of memory, start other processes, or write into a report. Each question needs a copy of its instance anyway, and the message to the process is that copy; questions and answers are sent in batches, and the two sides work at the same time.
 */
export function moduleTarget(file: string): Target {
  const path = resolve(file);
  let protocol: Protocol | undefined;
  let aboutModule: AboutModule = { text: false };
  let claims: Capability[] | undefined;

  const connection = new WorkerConnection<ModuleQuestion>("the module", async (listener, signal) => {
    const startedModule = await startModule(path, protocol as Protocol, listener, signal);
    aboutModule = startedModule.about;
    return startedModule.worker;
  });

  return {
    kind: "module",
    get name() {
      return typeof aboutModule.name === "string" ? aboutModule.name : basename(path);
    },
    get claims() {
      return claims;
    },
    get assumes() {
      return aboutModule.isShape === true ? capabilitiesOfShapes : undefined;
    },
    // This is the number of questions in one message, not of threads.
    concurrency: defaultConcurrency.module,
    async open(openedProtocol) {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || stats.isDirectory()) {
        throw new TouchstoneError("target", stats === undefined ? `there is no file ${file}` : `${file} is a folder`, {
          hint: "give the path of a module: ./validate.js",
        });
      }
      protocol = openedProtocol;
      try {
        await connection.open();
        claims = claimsFrom(aboutModule.claims, file);
        // Other exports of a module may be helpers; every name in a default export counts.
        if (aboutModule.isGathered !== true || !hasAnyValidator(openedProtocol, aboutModule))
          mustBeOf(openedProtocol, aboutModule.documents, file);
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    skips({ document, data }) {
      if (!hasNamed(aboutModule.documents, document)) return skipWithoutValidator(document.name);
      if (data === undefined && !aboutModule.text)
        return skipText("the module expects values, not JSON text (it does not export `text = true`)");
      return undefined;
    },
    check: (question, signal) => connection.ask(questionOf(question, aboutModule.text), signal),
    lost: () => connection.lost,
    close: () => connection.close(),
  };
}

function hasAnyValidator({ profile }: Protocol, { documents }: AboutModule): boolean {
  return profile.documents.some((document) => hasNamed(documents, document));
}

/** Creates the question for a module. A module that receives text does not receive anything else, because raw text and a string value look the same. */
function questionOf({ document, data, text, bytes, yaml }: Question, wantsText: boolean): ModuleQuestion {
  const { name, schema } = document;
  if (data !== undefined) return { document: name, schema, instance: wantsText ? JSON.stringify(data) : data };
  const question = { document: name, schema, instance: text ?? (bytes as Uint8Array) };
  return yaml === undefined ? question : { ...question, yaml };
}
