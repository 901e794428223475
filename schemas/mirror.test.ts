import { describe, expect, it } from "vitest";
import type { Baseline, BaselineEntry, Judged } from "./baseline.ts";
import { neverAskedOf, openBy } from "./cause.ts";
import type {
  AgentConfig,
  CallbackAuth,
  Config,
  Credential,
  HookConfig,
  ReceiverConfig,
  RefusedWhen,
  RetryConfig,
  SigningKey,
  TargetConfig,
  WebServerConfig,
} from "./config.ts";
import type { Contradiction, NamedReading, PartialLift } from "./contradiction.ts";
import type {
  AnswerHeader,
  AnswerSchema,
  CredentialPlace,
  DescribedHeaders,
  DescribedStatuses,
  Endpoint,
  Parameter,
} from "./endpoint.ts";
import { exitCodes } from "./error.ts";
import type { ExtendsFile, Renames } from "./extension.ts";
import type { Freedom, FreedomFile, Settled } from "./freedom.ts";
import type { CitedText, Position, PositionFile } from "./grounds.ts";
import { isObject, type JsonObject } from "./json.ts";
import { type Manifest, type MutationScore, type UnbrokenAssertion, unbrokenKinds } from "./manifest.ts";
import { ownSchemas } from "./own-schemas.ts";
import type { DocumentFile, ProfileFile, RuleEntry, RulesFile } from "./pack/file.ts";
import type { CaseEntry, CheckEntry, Forms, RuleFamilyFile, RulePart, ScenarioPart } from "./pack/rule-file.ts";
import type { Ending, Expectation, ScenarioEntry, ScenarioFile, StepEntry } from "./pack/scenario.ts";
import { at } from "./pointer.ts";
import type {
  AnswerCondition,
  Closing,
  Discretion,
  DocumentAnswer,
  ExplainedReading,
  Feature,
  Freshness,
  KindMembers,
  KnownMistake,
  Later,
  Profile,
  Side,
  Spelling,
  TextPosition,
  TextRuling,
  TimeoutMember,
  TokenMember,
  Tool,
  Unjudged,
  ValidationStep,
} from "./profile.ts";
import type { PublishedBound, PublishedLimits, PublishedRoom, RefusableAddress } from "./published-limits.ts";
import {
  type Answer,
  type BaselineReport,
  type ChangedFiles,
  type Counts,
  type HttpExchange,
  type InCommon,
  type Lost,
  outcomes,
  type Report,
  type Result,
  type Run,
  type Sent,
  type Shard,
  type UntestedRule,
} from "./report.ts";
import type { FooterLine, HeaderLine, ResultLine } from "./report-line.ts";
import type { ReportOptions, ReportTarget } from "./report-options.ts";
import { checks, levels, type RuleStatus } from "./rule.ts";
import type { ValueConditions } from "./value-conditions.ts";
import { capabilities, type Reading, type Vector, type VectorFile, vectorKinds } from "./vector.ts";
import {
  type CheckAnswer,
  type CheckMessage,
  type HelloAnswer,
  type HelloMessage,
  type Reason,
  type StopMessage,
  wireVersion,
} from "./wire.ts";

/** Every member of a type with whether it must be there: the compiler refuses a list that is not the type's. */
type Shape<T> = { [K in keyof T]-?: Pick<T, K> extends Required<Pick<T, K>> ? true : false };
type Status<K extends string> = Extract<RuleStatus, Record<K, string>>;
type Kind<K extends TargetConfig["kind"]> = Extract<TargetConfig, { kind: K }>;

const schemas = ownSchemas();
const yes = true;
const no = false;

/** Each type with the place of its schema. */
const mirrored: [place: string, shape: Record<string, boolean>][] = [
  [
    "vector-file#",
    {
      $schema: yes,
      description: yes,
      protocol: yes,
      version: yes,
      document: yes,
      schema: yes,
      schemaDigest: yes,
      generator: yes,
      count: yes,
      tests: yes,
    } satisfies Shape<VectorFile>,
  ],
  [
    "vector-file#/$defs/vector",
    {
      id: yes,
      description: yes,
      valid: no,
      readings: no,
      data: no,
      raw: no,
      base64: no,
      rule: no,
      level: no,
      beyond: no,
      alsoBreaks: no,
      site: no,
      at: no,
      involves: no,
      fault: no,
      parent: no,
      change: no,
      needs: yes,
      format: no,
      tags: yes,
    } satisfies Shape<Vector>,
  ],
  ["vector-file#/$defs/reading", { verdict: yes, ids: no, by: yes, why: no, site: no } satisfies Shape<Reading>],
  ["words#/$defs/generator", { name: yes, version: yes, seed: yes } satisfies Shape<VectorFile["generator"]>],
  [
    "manifest#",
    {
      $schema: yes,
      name: yes,
      version: yes,
      generator: yes,
      digest: yes,
      count: yes,
      aliases: no,
      missing: no,
      files: yes,
      documents: yes,
    } satisfies Shape<Manifest>,
  ],
  [
    "manifest#/properties/aliases",
    { path: yes, count: yes, digest: yes } satisfies Shape<NonNullable<Manifest["aliases"]>>,
  ],
  [
    "manifest#/$defs/file",
    {
      path: yes,
      protocol: yes,
      version: yes,
      document: yes,
      kind: yes,
      count: yes,
      digest: yes,
    } satisfies Shape<Manifest["files"][number]>,
  ],
  [
    "manifest#/$defs/document",
    {
      protocol: yes,
      version: yes,
      document: yes,
      schema: yes,
      sites: yes,
      broken: yes,
      unbroken: yes,
      forcing: yes,
    } satisfies Shape<Manifest["documents"][number]>,
  ],
  [
    "manifest#/$defs/forcing",
    {
      mutants: yes,
      twice: yes,
      once: yes,
      only: no,
      beyond: no,
      equivalent: yes,
      away: no,
      partial: no,
      keywords: yes,
      operators: no,
      unforced: yes,
    } satisfies Shape<MutationScore>,
  ],
  [
    "manifest#/$defs/tally",
    { mutants: yes, twice: yes, once: yes, only: no, beyond: no, equivalent: yes } satisfies Shape<
      MutationScore["keywords"][string]
    >,
  ],
  [
    "manifest#/$defs/unforced",
    { site: yes, operator: yes, says: yes, kills: yes, why: yes, beyond: no } satisfies Shape<
      MutationScore["unforced"][number]
    >,
  ],
  ["manifest#/$defs/unbroken", { site: yes, kind: no, why: yes } satisfies Shape<UnbrokenAssertion>],
  ["rules#", { $schema: no, protocol: no, version: no, rules: yes } satisfies Shape<RulesFile>],
  [
    "rules#/$defs/rule",
    {
      id: yes,
      level: no,
      clause: no,
      statement: yes,
      binds: no,
      tier: no,
      check: no,
      sites: no,
      basis: no,
      positions: no,
      position: no,
      verdict: no,
      author: no,
      follows: no,
      status: no,
      when: no,
      unless: no,
    } satisfies Shape<RuleEntry>,
  ],
  ["rules#/$defs/status/oneOf/0", { covered: yes } satisfies Shape<Status<"covered">>],
  ["rules#/$defs/status/oneOf/1", { planned: yes } satisfies Shape<Status<"planned">>],
  ["rules#/$defs/status/oneOf/2", { untested: yes } satisfies Shape<Status<"untested">>],
  [
    "profile#",
    {
      $schema: no,
      extends: no,
      protocol: no,
      version: no,
      title: no,
      summary: no,
      formats: no,
      extent: no,
      discriminator: no,
      sender: no,
      discretion: no,
      timeouts: no,
      tokens: no,
      spellings: no,
      kinds: no,
      families: no,
      sides: no,
      text: no,
      contradictions: no,
      readings: no,
      documents: yes,
      http: no,
      errors: no,
      steps: no,
    } satisfies Shape<ProfileFile>,
  ],
  ["profile#/$defs/extends", { pack: yes, rename: no, gone: no, stated: no } satisfies Shape<ExtendsFile>],
  [
    "profile#/$defs/extends/properties/rename",
    { ids: no, members: no, headers: no, paths: no, texts: no } satisfies Shape<Renames>,
  ],
  [
    "profile#/$defs/document",
    {
      name: no,
      title: no,
      schema: no,
      file: no,
      standalone: no,
      kept: no,
      role: no,
      has: no,
      when: no,
      endpoint: no,
      unsent: no,
      wrap: no,
      answer: no,
      fresh: no,
      samples: no,
      moreSamples: no,
      mistakes: no,
      tool: no,
    } satisfies Shape<DocumentFile>,
  ],
  ["profile#/$defs/document/properties/tool", { name: yes, digest: no, output: no } satisfies Shape<Tool>],
  [
    "profile#/$defs/freshness",
    { at: yes, make: yes, prefix: no, offset: no, in: no, clash: no } satisfies Shape<Freshness>,
  ],
  [
    "profile#/$defs/endpoint",
    {
      method: yes,
      path: yes,
      type: no,
      carries: no,
      optional: no,
      parameters: no,
      given: no,
      described: no,
      accepted: no,
      rejected: no,
    } satisfies Shape<Endpoint>,
  ],
  [
    "profile#/$defs/parameter",
    {
      in: yes,
      name: yes,
      style: yes,
      explode: yes,
      types: no,
      members: no,
      holds: no,
      mixed: no,
      key: no,
    } satisfies Shape<Parameter>,
  ],
  [
    "profile#/$defs/described",
    { answers: yes, rule: yes, credentials: yes, statuses: no, headers: no, security: no, reuse: no } satisfies Shape<
      NonNullable<Endpoint["described"]>
    >,
  ],
  ["profile#/$defs/describedStatuses", { rule: yes, named: yes } satisfies Shape<DescribedStatuses>],
  [
    "profile#/$defs/describedStatuses/properties/named/items",
    { status: yes, types: yes } satisfies Shape<DescribedStatuses["named"][number]>,
  ],
  [
    "profile#/$defs/describedSecurity",
    { rule: yes, places: yes, choices: no } satisfies Shape<
      NonNullable<NonNullable<Endpoint["described"]>["security"]>
    >,
  ],
  ["profile#/$defs/credentialPlace", { in: yes, name: yes, scheme: no } satisfies Shape<CredentialPlace>],
  ["profile#/$defs/describedHeaders", { rule: yes, answers: yes } satisfies Shape<DescribedHeaders>],
  [
    "profile#/$defs/describedHeaders/properties/answers/items",
    { status: yes, document: yes, headers: yes } satisfies Shape<DescribedHeaders["answers"][number]>,
  ],
  ["profile#/$defs/answerHeader", { name: yes, types: no, holds: no, required: no } satisfies Shape<AnswerHeader>],
  ["profile#/$defs/answer", { status: yes, type: yes, document: yes, items: no } satisfies Shape<AnswerSchema>],
  ["profile#/$defs/condition", { status: yes, present: no, absent: no, equal: no } satisfies Shape<AnswerCondition>],
  [
    "profile#/$defs/http",
    {
      headers: no,
      signature: no,
      binds: no,
      servers: no,
      later: no,
      closed: no,
      publishes: no,
      features: no,
      limits: no,
      closing: no,
      mayRefuse: no,
      accepted: no,
      rejected: no,
      reason: no,
    } satisfies Shape<NonNullable<ProfileFile["http"]>>,
  ],
  ["profile#/$defs/feature", { documents: yes, message: no, when: no, unless: no } satisfies Shape<Feature>],
  ["profile#/$defs/http/properties/closing", { id: yes, path: yes, body: yes } satisfies Shape<Closing>],
  ["profile#/$defs/http/properties/later", { equal: yes, seconds: yes } satisfies Shape<Later>],
  [
    "profile#/$defs/http/properties/limits",
    { path: yes, addresses: no, bounds: yes, pace: no, open: no } satisfies Shape<PublishedLimits>,
  ],
  [
    "profile#/$defs/http/properties/limits/properties/open",
    { published: yes, equal: yes, id: yes } satisfies Shape<PublishedRoom>,
  ],
  ["profile#/$defs/refusableAddress", { at: yes, schemes: yes } satisfies Shape<RefusableAddress>],
  ["profile#/$defs/bound", { published: yes, at: yes, measure: yes } satisfies Shape<PublishedBound>],
  [
    "profile#/$defs/http/properties/reason",
    { code: no, message: no, at: no, codes: no, unjudged: no } satisfies Shape<NonNullable<Profile["http"]["reason"]>>,
  ],
  [
    "profile#/$defs/http/properties/reason/properties/unjudged/items",
    { code: yes, why: yes, sealed: no } satisfies Shape<Unjudged>,
  ],
  [
    "profile#/$defs/error",
    { code: yes, status: no, meaning: yes } satisfies Shape<NonNullable<Profile["errors"]>[number]>,
  ],
  [
    "freedoms#",
    { $schema: yes, protocol: yes, version: yes, freedoms: yes, settled: yes } satisfies Shape<FreedomFile>,
  ],
  [
    "freedoms#/$defs/freedom",
    { id: yes, clause: yes, rules: yes, strict: yes, lenient: yes, shows: yes } satisfies Shape<Freedom>,
  ],
  [
    "positions#",
    { $schema: yes, protocol: yes, version: yes, sources: yes, positions: yes } satisfies Shape<PositionFile>,
  ],
  ["positions#/$defs/source", { mark: yes, title: yes, url: yes, clauses: no } satisfies Shape<CitedText>],
  ["positions#/$defs/position", { id: yes, issue: yes, position: yes } satisfies Shape<Position>],
  ["freedoms#/$defs/settled", { position: yes, why: yes } satisfies Shape<Settled>],
  ["profile#/$defs/text", { rulings: yes, yaml: no, levels: no } satisfies Shape<TextPosition>],
  [
    "profile#/$defs/ruling",
    { rule: no, invalid: no, level: no, except: no, why: no, note: no } satisfies Shape<TextRuling>,
  ],
  ["profile#/$defs/side", { says: yes, hooks: yes, options: no } satisfies Shape<Side>],
  ["profile#/$defs/timeout", { documents: yes, at: yes, unit: yes } satisfies Shape<TimeoutMember>],
  ["profile#/$defs/token", { documents: yes, at: yes } satisfies Shape<TokenMember>],
  ["profile#/$defs/spelling", { member: yes, written: yes, means: yes } satisfies Shape<Spelling>],
  [
    "profile#/$defs/document/properties/answer",
    {
      rule: yes,
      document: no,
      at: no,
      envelope: no,
      refusal: no,
      echoes: no,
      id: no,
      type: no,
    } satisfies Shape<DocumentAnswer>,
  ],
  [
    "profile#/$defs/mistake",
    { name: yes, says: yes, sample: no, change: yes, accepted: no } satisfies Shape<KnownMistake>,
  ],
  ["profile#/$defs/kind", { document: yes, at: yes, members: yes } satisfies Shape<KindMembers>],
  ["profile#/$defs/discretion", { at: yes, rule: yes, documents: no, except: no } satisfies Shape<Discretion>],
  [
    "profile#/$defs/contradiction",
    { about: yes, clause: yes, rules: yes, readings: yes } satisfies Shape<Contradiction>,
  ],
  ["profile#/$defs/explainedReading", { id: yes, says: yes } satisfies Shape<ExplainedReading>],
  [
    "profile#/$defs/reading",
    {
      name: yes,
      formerly: no,
      says: yes,
      by: no,
      lifts: no,
      nulls: no,
      tolerates: no,
      needs: no,
    } satisfies Shape<NamedReading>,
  ],
  ["profile#/$defs/partialLift", { at: yes, to: yes } satisfies Shape<PartialLift>],
  [
    "scenarios#/$defs/publishedPart",
    { equal: no, differs: no, matches: no, present: no, absent: no, includes: no } satisfies Shape<ValueConditions>,
  ],
  ["profile#/$defs/step", { at: yes, schema: no, by: no, schemas: no } satisfies Shape<ValidationStep>],
  ["scenarios#", { $schema: no, scenarios: yes } satisfies Shape<ScenarioFile>],
  [
    "scenarios#/$defs/scenario",
    {
      name: yes,
      says: yes,
      side: no,
      needs: no,
      withinMs: no,
      when: no,
      unless: no,
      steps: yes,
    } satisfies Shape<ScenarioEntry>,
  ],
  [
    "scenarios#/$defs/step",
    {
      send: no,
      hook: no,
      with: no,
      pass: no,
      stream: no,
      socket: no,
      start: no,
      tell: no,
      message: no,
      close: no,
      code: no,
      count: no,
      decode: no,
      next: no,
      until: no,
      end: no,
      receive: no,
      answers: no,
      arrival: no,
      withinMs: no,
      each: no,
      steps: no,
      unless: no,
      save: no,
      expect: no,
    } satisfies Shape<StepEntry>,
  ],
  [
    "scenarios#/$defs/ending",
    {
      status: no,
      equal: no,
      differs: no,
      matches: no,
      present: no,
      absent: no,
      includes: no,
      valid: no,
      at: no,
      headers: no,
      why: yes,
    } satisfies Shape<Ending>,
  ],
  ["rule-family#", { $schema: no, order: no, seals: no, rules: yes } satisfies Shape<RuleFamilyFile>],
  [
    "rule-family#/$defs/rule",
    {
      level: no,
      clause: no,
      statement: no,
      when: no,
      unless: no,
      binds: no,
      tier: no,
      sites: no,
      basis: no,
      positions: no,
      position: no,
      verdict: no,
      author: no,
      follows: no,
      status: no,
      overrides: no,
      lacks: no,
      decided: no,
      document: no,
      check: no,
      seals: no,
      enforcedBy: no,
      about: no,
      needs: no,
      valid: no,
      invalid: no,
      disputed: no,
      permits: no,
      yaml: no,
      cases: no,
      scenarios: no,
    } satisfies Shape<RulePart>,
  ],
  [
    "rule-family#/$defs/check",
    {
      equal: no,
      differs: no,
      atMost: no,
      oneOf: no,
      noneOf: no,
      matches: no,
      present: no,
      absent: no,
      one: no,
      unique: no,
      when: no,
      at: no,
      why: no,
      level: no,
    } satisfies Shape<CheckEntry>,
  ],
  [
    "rule-family#/$defs/forms",
    {
      equal: no,
      differs: no,
      atMost: no,
      oneOf: no,
      noneOf: no,
      matches: no,
      present: no,
      absent: no,
      one: no,
    } satisfies Shape<Forms>,
  ],
  [
    "rule-family#/$defs/valid",
    {
      says: yes,
      at: no,
      edge: no,
      needs: no,
      level: no,
      document: no,
      text: no,
      base64: no,
      data: no,
      from: no,
      walk: no,
      set: no,
      repeat: no,
      remove: no,
      copy: no,
      seal: no,
      spelt: no,
      add: no,
      patch: no,
    } satisfies Shape<Omit<CaseEntry, "involves" | "readings">>,
  ],
  [
    "rule-family#/$defs/invalid",
    {
      says: yes,
      at: no,
      edge: no,
      needs: no,
      level: no,
      document: no,
      text: no,
      base64: no,
      from: no,
      set: no,
      repeat: no,
      remove: no,
      copy: no,
      seal: no,
      spelt: no,
      add: no,
      patch: no,
      involves: no,
    } satisfies Shape<Omit<CaseEntry, "data" | "walk" | "readings">>,
  ],
  [
    "rule-family#/$defs/scenario",
    {
      says: yes,
      side: no,
      needs: no,
      withinMs: no,
      when: no,
      unless: no,
      steps: no,
      play: no,
      rules: no,
    } satisfies Shape<ScenarioPart>,
  ],
  [
    "scenarios#/$defs/request",
    { method: no, path: yes, headers: no, body: no, base64: no, as: no } satisfies Shape<
      NonNullable<StepEntry["send"]>
    >,
  ],
  [
    "scenarios#/$defs/expectation",
    {
      rule: no,
      why: no,
      status: no,
      equal: no,
      differs: no,
      matches: no,
      present: no,
      absent: no,
      includes: no,
      valid: no,
      at: no,
      headers: no,
    } satisfies Shape<Expectation>,
  ],
  [
    "report#",
    {
      $schema: yes,
      tool: yes,
      started: yes,
      durationMs: yes,
      complete: yes,
      command: yes,
      options: no,
      counts: yes,
      failOn: no,
      baseline: no,
      exitCode: yes,
      runs: yes,
    } satisfies Shape<Report>,
  ],
  [
    "report#/$defs/options",
    {
      verb: yes,
      protocol: yes,
      target: yes,
      side: no,
      seed: no,
      timeoutMs: no,
      concurrency: no,
      vectors: no,
      scenarios: no,
      readings: no,
      config: no,
      runs: no,
      walk: no,
    } satisfies Shape<ReportOptions>,
  ],
  [
    "report#/$defs/target/oneOf/2",
    { kind: yes, url: yes, headers: no, claims: no, endpoints: no } satisfies Shape<
      Extract<ReportTarget, { kind: "http" }>
    >,
  ],
  [
    "report#/$defs/baseline",
    { file: yes, known: yes, findings: yes, newVectors: no, repair: no } satisfies Shape<BaselineReport>,
  ],
  [
    "report#/$defs/baseline/properties/findings/items",
    { kind: yes, name: yes, what: yes } satisfies Shape<BaselineReport["findings"][number]>,
  ],
  [
    "report#/$defs/counts",
    {
      conforms: yes,
      violates: yes,
      warns: yes,
      "wrong-reason": yes,
      disputed: yes,
      skipped: yes,
      errored: yes,
      "timed-out": yes,
      flaky: yes,
    } satisfies Shape<Counts>,
  ],
  [
    "report#/$defs/run",
    {
      protocol: yes,
      version: yes,
      target: yes,
      set: yes,
      filter: yes,
      readings: no,
      bounds: no,
      shard: no,
      started: no,
      command: no,
      options: no,
      counts: yes,
      results: yes,
      inCommon: no,
      untested: no,
      lost: no,
      failure: no,
    } satisfies Shape<Run>,
  ],
  ["report#/$defs/run/properties/lost", { times: yes, last: yes } satisfies Shape<Lost>],
  ["report#/$defs/run/properties/untested/items", { rule: yes, why: yes } satisfies Shape<UntestedRule>],
  [
    "report#/$defs/inCommon",
    { document: yes, refused: yes, accepted: yes, by: yes, have: yes } satisfies Shape<InCommon>,
  ],
  ["report#/$defs/run/properties/set", { digest: yes, count: yes, changed: no } satisfies Shape<Run["set"]>],
  ["report#/$defs/run/properties/set/properties/changed", { files: yes, again: yes } satisfies Shape<ChangedFiles>],
  ["report#/$defs/run/properties/shard", { index: yes, count: yes } satisfies Shape<Shard>],
  [
    "report-line#/$defs/header",
    {
      line: yes,
      $schema: yes,
      tool: yes,
      started: yes,
      command: yes,
      options: no,
      runs: yes,
    } satisfies Shape<HeaderLine>,
  ],
  [
    "report-line#/$defs/header/properties/runs/items",
    {
      protocol: yes,
      version: yes,
      target: yes,
      set: yes,
      filter: yes,
      readings: no,
      shard: no,
      started: no,
      command: no,
      options: no,
    } satisfies Shape<HeaderLine["runs"][number]>,
  ],
  ["report-line#/$defs/result", { line: yes, run: yes, index: yes, result: yes } satisfies Shape<ResultLine>],
  [
    "report-line#/$defs/footer",
    {
      line: yes,
      durationMs: yes,
      complete: yes,
      counts: yes,
      failOn: no,
      baseline: no,
      exitCode: yes,
      runs: yes,
    } satisfies Shape<FooterLine>,
  ],
  [
    "report-line#/$defs/footer/properties/runs/items",
    {
      target: yes,
      counts: yes,
      known: no,
      bounds: no,
      inCommon: no,
      untested: no,
      lost: no,
      failure: no,
    } satisfies Shape<FooterLine["runs"][number]>,
  ],
  [
    "report#/$defs/run/properties/target",
    { kind: yes, name: yes, claims: no, assumed: no } satisfies Shape<Run["target"]>,
  ],
  [
    "report#/$defs/result",
    {
      id: yes,
      kind: yes,
      document: yes,
      description: yes,
      verdict: yes,
      level: yes,
      rule: no,
      site: no,
      at: no,
      fault: no,
      outcome: yes,
      known: no,
      why: no,
      cause: no,
      difference: no,
      decidedBy: no,
      follows: no,
      stage: no,
      durationMs: no,
      answer: no,
      exchanges: no,
      trace: no,
      vector: no,
    } satisfies Shape<Result>,
  ],
  [
    "report#/$defs/result/properties/vector",
    { data: no, raw: no, base64: no, change: no, parent: no } satisfies Shape<NonNullable<Result["vector"]>>,
  ],
  ["report#/$defs/answer", { verdict: yes, reasons: yes, codeless: no, exchange: no } satisfies Shape<Answer>],
  ["report#/$defs/sent", { from: yes, to: yes, text: yes, decisive: no } satisfies Shape<Sent>],
  [
    "report#/$defs/exchange",
    { request: yes, response: no, incoming: no, as: no, decisive: no } satisfies Shape<HttpExchange>,
  ],
  [
    "report#/$defs/exchange/properties/request",
    { method: yes, url: yes, headers: yes, body: yes } satisfies Shape<HttpExchange["request"]>,
  ],
  [
    "report#/$defs/exchange/properties/response",
    { status: yes, headers: yes, body: yes } satisfies Shape<NonNullable<HttpExchange["response"]>>,
  ],
  ["words#/$defs/reason", { at: no, keyword: no, site: no, rule: no, code: no, message: no } satisfies Shape<Reason>],
  [
    "wire#/$defs/hello",
    { command: yes, touchstone: yes, protocol: yes, version: yes, schemas: yes } satisfies Shape<HelloMessage>,
  ],
  ["wire#/$defs/helloAnswer", { ready: yes, name: no, claims: no } satisfies Shape<HelloAnswer>],
  [
    "wire#/$defs/check",
    {
      command: yes,
      seq: yes,
      document: yes,
      schema: yes,
      data: no,
      text: no,
      base64: no,
      yaml: no,
    } satisfies Shape<CheckMessage>,
  ],
  [
    "wire#/$defs/checkAnswer",
    { seq: yes, valid: no, errors: no, warnings: no, skipped: no, error: no } satisfies Shape<CheckAnswer>,
  ],
  ["wire#/$defs/stop", { command: yes } satisfies Shape<StopMessage>],
  [
    "config#",
    {
      $schema: no,
      protocol: no,
      target: no,
      only: no,
      skip: no,
      readings: no,
      concurrency: no,
      timeout: no,
      seed: no,
      report: no,
      credentials: no,
      hooks: no,
      options: no,
      agent: no,
      receiver: no,
      callbackAuth: no,
      profile: no,
      timeScale: no,
      bounds: no,
      scenarios: no,
      vectors: no,
      baseline: no,
      failOn: no,
      webServer: no,
      retry: no,
      projects: no,
      keys: no,
      refusedWhen: no,
    } satisfies Shape<Config>,
  ],
  ["config#/properties/webServer", { command: yes, url: yes, timeout: no, reuse: no } satisfies Shape<WebServerConfig>],
  ["config#/properties/retry", { count: yes, excuses: no } satisfies Shape<RetryConfig>],
  ["config#/$defs/refusedWhen", { status: no, present: no, absent: no, equal: no } satisfies Shape<RefusedWhen>],
  ["config#/$defs/agent", { url: no, id: no, key: yes } satisfies Shape<AgentConfig>],
  ["config#/$defs/hmacKey", { alg: yes, secret: yes } satisfies Shape<Extract<SigningKey, { secret: string }>>],
  ["config#/$defs/ed25519Key", { alg: yes, seed: yes } satisfies Shape<Extract<SigningKey, { seed: string }>>],
  ["config#/properties/receiver", { host: no, port: no, url: no } satisfies Shape<ReceiverConfig>],
  ["config#/$defs/callbackAuth", { hmac: no, bearer: no, apikey: no, ed25519: no } satisfies Shape<CallbackAuth>],
  [
    "config#/$defs/callbackAuth/properties/hmac",
    { reference: yes, secret: yes, second: no } satisfies Shape<NonNullable<CallbackAuth["hmac"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/hmac/properties/second",
    { reference: yes, secret: yes } satisfies Shape<NonNullable<NonNullable<CallbackAuth["hmac"]>["second"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/bearer",
    { reference: yes, token: yes } satisfies Shape<NonNullable<CallbackAuth["bearer"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/apikey",
    { reference: yes, token: yes, header: no } satisfies Shape<NonNullable<CallbackAuth["apikey"]>>,
  ],
  [
    "config#/$defs/callbackAuth/properties/ed25519",
    { publicKey: yes } satisfies Shape<NonNullable<CallbackAuth["ed25519"]>>,
  ],
  ["config#/$defs/credential", { agent: yes, token: no, apikey: no } satisfies Shape<Credential>],
  [
    "config#/$defs/httpHook/properties/http",
    { method: no, url: yes, headers: no, body: no } satisfies Shape<Extract<HookConfig, { http: unknown }>["http"]>,
  ],
  ["config#/$defs/commandHook", { command: yes } satisfies Shape<Extract<HookConfig, { command: unknown }>>],
  ["config#/$defs/moduleTarget", { kind: yes, claims: no, file: yes } satisfies Shape<Kind<"module">>],
  ["config#/$defs/commandTarget", { kind: yes, claims: no, command: yes } satisfies Shape<Kind<"command">>],
  [
    "config#/$defs/httpTarget",
    { kind: yes, claims: no, url: yes, headers: no, endpoints: no, identity: no } satisfies Shape<Kind<"http">>,
  ],
  [
    "config#/$defs/mcpTarget",
    { kind: yes, claims: no, server: yes, tools: no, headers: no } satisfies Shape<Kind<"mcp">>,
  ],
  ["config#/$defs/referenceTarget", { kind: yes, variant: no } satisfies Shape<Kind<"reference">>],
  ["baseline#", { $schema: yes, sets: yes, judged: no, entries: yes } satisfies Shape<Baseline>],
  [
    "baseline#/$defs/judged",
    { results: yes, rules: yes, scenarios: yes, skipped: yes, vectors: yes } satisfies Shape<Judged>,
  ],
  [
    "baseline#/$defs/entry",
    {
      id: no,
      rule: no,
      site: no,
      outcome: yes,
      reason: yes,
      expires: no,
      owner: no,
      flaky: no,
    } satisfies Shape<BaselineEntry>,
  ],
];

function schemaAt(place: string): JsonObject {
  const [format = "", pointer = ""] = place.split("#");
  return at(pointer, schemas[format] ?? null) as JsonObject;
}

describe("a format's schema and its type", () => {
  it.each(mirrored)("%s has the same members", (place, shape) => {
    const { properties, required, additionalProperties } = schemaAt(place);
    expect(Object.keys(properties as JsonObject)).toEqual(Object.keys(shape));
    expect(new Set(required as string[] | undefined)).toEqual(
      new Set(Object.keys(shape).filter((name) => shape[name] === true)),
    );
    expect(additionalProperties).toBe(false);
  });

  it.each<[place: string, words: readonly unknown[]]>([
    ["words#/$defs/level", levels],
    ["words#/$defs/outcome", outcomes],
    ["words#/$defs/vectorKind", vectorKinds],
    ["words#/$defs/capability", Object.keys(capabilities)],
    ["manifest#/$defs/unbroken/properties/kind", unbrokenKinds],
    ["report#/$defs/cause/oneOf/3/properties/by", openBy],
    ["report#/$defs/cause/oneOf/15/properties/of", neverAskedOf],
    ["rules#/$defs/check", checks],
    ["report#/properties/exitCode", [0, ...Object.values(exitCodes)]],
  ])("%s has the same words", (place, words) => expect(schemaAt(place).enum).toEqual(words));

  it("agree on the version of the wire format", () => {
    expect(schemaAt("wire#/$defs/hello/properties/touchstone").const).toBe(wireVersion);
  });
});

describe("every format", () => {
  it.each(Object.entries(schemas))("%s describes itself and its members, and closes its objects", (name, schema) => {
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `https://touchstone.example/schemas/touchstone/${name}.schema.json`,
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/\.$/),
    });
    for (const object of objectsIn(schema)) {
      expect(object).toHaveProperty("additionalProperties");
      for (const [member, described] of Object.entries((object.properties ?? {}) as Record<string, JsonObject>)) {
        const told = "title" in described || "$ref" in described || "const" in described || "enum" in described;
        expect(told, `${name}: ${member} has no title`).toBe(true);
      }
    }
  });

  it("is there", () => {
    expect(Object.keys(schemas)).toEqual([
      "baseline",
      "batch",
      "bundle",
      "certification",
      "compare",
      "config",
      "fixtures",
      "freedoms",
      "manifest",
      "positions",
      "profile",
      "recording",
      "report-line",
      "report",
      "rule-family",
      "rules",
      "scenarios",
      "set-comparison",
      "vector-file",
      "wire",
      "words",
    ]);
  });
});

function objectsIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (!isObject(value)) return [];
  return [...(value.type === "object" ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}
