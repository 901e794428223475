import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type AnswersReader,
  allInFiles,
  builtInPacks,
  type CodeSource,
  type Pack,
  type Protocol,
  protocolsNamed,
  publishedOrder,
  type RuledProtocol,
  type RuleFamily,
  rulesInFiles,
  scenarioFiles,
} from "../../../schemas/index.ts";
import type { ReferencedProtocol } from "../reference/start.ts";
import { carriedRules } from "./carried-rules.ts";
import { mayLoad, requireAllowedCode } from "./code.ts";
import { loadPackCode } from "./descriptor.ts";
import { inheritedFamilies, overriddenParts, parentOf, type Resign, type Resigning } from "./inherited.ts";
import { makeUnlistedRules } from "./made-rules.ts";
import type { CaseMakers } from "./rule-files.ts";

const loadedPacks = new Map<string, Promise<Pack>>();
const ruledProtocols = new WeakMap<Protocol, Promise<RuledProtocol>>();

/** The code of a protocol's pack, each part as a function that loads it. Throws a usage error for a broken pack of a user. */
export function packOf(protocol: Pick<Protocol, "name"> | Protocol): Promise<Pack> {
  const isForeign = "foreign" in protocol && protocol.foreign === true;
  if (isForeign) requireAllowedCode(protocol);
  const key = isForeign
    ? [protocol.folder, ...protocol.profile.documents.map(({ name }) => name)].join("\n")
    : protocol.name;
  const pack = loadedPacks.get(key) ?? (isForeign ? loadOwnPack(protocol) : importBuiltIn(protocol.name));
  loadedPacks.set(key, pack);
  return pack;
}

/** The parts in the code of a pack's folder, and the scenarios in its files. */
async function loadOwnPack(protocol: Protocol): Promise<Pack> {
  const pack = withAnswerReader(protocol, await loadPackCode(protocol));
  if (!hasScenariosInFiles(protocol)) return pack;
  return {
    ...pack,
    async scenarios() {
      const { scenariosIn } = await import("./scenarios.ts");
      const dataScenarios = await scenariosIn(await ruled(protocol));
      return { scenarios: [...((await pack.scenarios?.())?.scenarios ?? []), ...dataScenarios] };
    },
  };
}

/** Adds a reader that matches answers with requests by id, if the profile declares such ids and the pack does not have its own reader. */
function withAnswerReader(protocol: Protocol, pack: Pack): Pack {
  const isPaired = protocol.profile.documents.some(({ answer }) => answer?.id !== undefined);
  if (!isPaired || pack.session !== undefined || pack.answers !== undefined) return pack;
  return {
    ...pack,
    async answers() {
      const { answersBy } = await import("./pairs.ts");
      const answers: AnswersReader = () => {
        const readPairs = answersBy(protocol);
        return ({ message, from }) => (message === undefined ? [] : readPairs({ message, from }));
      };
      return { answers, isHeldLive: true };
    },
  };
}

function hasScenariosInFiles(protocol: Protocol): boolean {
  if (scenarioFiles.some((name) => existsSync(join(protocol.folder, name)))) return true;
  return allInFiles(protocol).some(({ scenarios }) => scenarios !== undefined) || parentHasScenariosInFiles(protocol);
}

function parentHasScenariosInFiles({ extends: extension }: Protocol): boolean {
  return extension?.parent.foreign === true && hasScenariosInFiles(extension.parent);
}

/** Returns the protocol together with the checkers and cases of its semantic rules. */
export function ruled(protocol: Protocol): Promise<RuledProtocol> {
  const ruledProtocol = ruledProtocols.get(protocol) ?? loadRules(protocol);
  ruledProtocols.set(protocol, ruledProtocol);
  return ruledProtocol;
}

async function loadRules(protocol: Protocol): Promise<RuledProtocol> {
  const { rules, signer, walker } = await packOf(protocol);
  const seal = (await signer?.())?.sign;
  const makers = { seal, walk: (await walker?.())?.walk };
  const code = await rules?.();
  const ownAndInherited = await withInherited(protocol, code, makers);
  const families =
    protocol.foreign === true ? [...ownAndInherited, ...carriedRules(protocol, ownAndInherited)] : ownAndInherited;
  const unlistedRules = protocol.foreign === true ? makeUnlistedRules(protocol.rules, families) : [];
  const published = publishedOrder(protocol);
  return {
    ...protocol,
    ...(published === undefined ? {} : { published }),
    rules: unlistedRules.length === 0 ? protocol.rules : [...protocol.rules, ...unlistedRules],
    families,
    ...(seal === undefined ? {} : { seal }),
  };
}

/** The families of a pack, followed by those it inherits from the pack that it extends. */
async function withInherited(
  protocol: Protocol,
  code: Awaited<ReturnType<NonNullable<Pack["rules"]>>> | undefined,
  makers: CaseMakers,
): Promise<readonly RuleFamily[]> {
  const codeFamilies = familiesIn(code);
  const parent = parentOf(protocol);
  const { extends: extension } = protocol;
  if (extension === undefined || parent === undefined) return familiesFromFiles(protocol, codeFamilies, makers);
  const documents = new Set(protocol.profile.documents.map(({ name }) => name));
  const parentFamilies = (await ruled(parent)).families;
  const inherited = inheritedFamilies(extension, documents, parentFamilies, {
    ...overriddenParts(rulesInFiles(protocol), codeFamilies),
    resigning: await loadResigning(code?.resign),
  });
  const inheritedRules = new Set(inherited.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)));
  return [...(await familiesFromFiles(protocol, codeFamilies, makers, inheritedRules)), ...inherited];
}

/** Loads the generators only for a pack with its own `resign`, because they are slow to load. */
async function loadResigning(resign: Resign | undefined): Promise<Resigning | undefined> {
  if (resign === undefined) return undefined;
  const { applyChanges } = await import("../../../generators/index.ts");
  return { resign, applyChanges: (value, changes) => applyChanges(value, changes) ?? value };
}

/** The rules in a pack's code: whole families, and separate checkers for rules in files. A pack may have both, for different rules. */
export function familiesIn(code: Awaited<ReturnType<NonNullable<Pack["rules"]>>> | undefined): readonly RuleFamily[] {
  const { families = [], checkers } = code ?? {};
  return checkers === undefined ? families : [{ name: "code", checkers, cases: [] }, ...families];
}

/** Adds the families in a protocol's files. The module that reads them is loaded only if there are such files. */
async function familiesFromFiles(
  protocol: Protocol,
  codeFamilies: readonly RuleFamily[],
  makers: CaseMakers,
  inheritedRules: ReadonlySet<string> = new Set(),
): Promise<readonly RuleFamily[]> {
  if (rulesInFiles(protocol).length === 0) return codeFamilies;
  const { familiesInFiles } = await import("./rule-files.ts");
  return familiesInFiles(protocol, codeFamilies, { elsewhere: inheritedRules, ...makers });
}

/** The protocols with this name; a user's pack includes the rules that exist only in its code. */
export function protocolsNamedBy(name: string, codeSource?: CodeSource): Promise<Protocol[]> {
  return Promise.all(protocolsNamed(name, codeSource).map(withAllRules));
}

/** The protocol with all its rules. If the code of a pack may not be loaded, these are only the rules in its files. */
export async function withAllRules(protocol: Protocol): Promise<Protocol> {
  return protocol.foreign === true && mayLoad(protocol) ? ruled(protocol) : protocol;
}

/** Returns the pack, if its code may be loaded; otherwise only the scenarios in its files, which can be read without code. */
export async function readableOf(protocol: Protocol): Promise<Pack> {
  if (mayLoad(protocol)) return packOf(protocol);
  return {
    async scenarios() {
      const { scenariosIn } = await import("./scenarios.ts");
      return { scenarios: await scenariosIn({ ...protocol, families: [] } as RuledProtocol) };
    },
  };
}

/** The protocol with everything that its reference implementation needs. */
export async function referenceOf(protocol: Protocol): Promise<ReferencedProtocol> {
  const { reference } = await packOf(protocol);
  return { protocol: await ruled(protocol), service: (await reference?.())?.service };
}

/** Imports the code of a built-in protocol from the folder with its name. A protocol without code has an empty pack. */
async function importBuiltIn(name: string): Promise<Pack> {
  if (!builtInPacks.some((pack) => pack.name === name)) return {};
  return ((await import(`../../protocols/${name}/index.ts`)) as { pack: Pack }).pack;
}
