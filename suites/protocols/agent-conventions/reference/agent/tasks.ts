import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { Timers } from "../timers.ts";
import type { AgentConduct, WorkFault } from "./conduct.ts";
import type { Mailroom } from "./mailroom.ts";

/** How the work on a task or cue should proceed, as the `assign` hook describes it. */
export type WorkOrder = JsonObject;

interface AgentTask {
  /** The member with its id in other messages. */
  reference: { task_id: string } | { cue_id: string };
  work: WorkOrder;
  assigner: string;
  facts: JsonObject;
  /** Tasks that have to be complete before it begins. */
  needs: readonly string[];
  /** All tasks that its assignment names as dependencies. */
  dependencies: readonly string[];
  /** Whether it waits for a ruling. */
  isDisputed: boolean;
  isHalted: boolean;
  /** Whether a fault has ended it. */
  hasFailed: boolean;
  pieceCount: number;
  attemptCount: number;
}

/** The work of an agent. */
export class Tasks {
  readonly attempts: JsonObject[] = [];
  readonly #workOrders = new Map<string, WorkOrder>();
  readonly #complete = new Set<string>();
  /** The names of tasks that were handed over. */
  readonly #handedOver = new Set<string>();
  readonly #tasks = new Map<string, AgentTask>();
  readonly #conduct: AgentConduct;
  readonly #mail: Mailroom;
  readonly #timers: Timers;
  readonly #id: string;

  constructor(id: string, conduct: AgentConduct, mail: Mailroom, timers: Timers) {
    this.#id = id;
    this.#conduct = conduct;
    this.#mail = mail;
    this.#timers = timers;
  }

  assign({ task_id, cue_id, ...work }: JsonObject): void {
    this.#workOrders.set(String(task_id ?? cue_id), work);
  }

  /** Gives a task another name, with the same work order, and returns it. */
  copyWorkOrder(task: string, name: string): string {
    const work = this.#workOrders.get(task);
    if (work !== undefined) this.#workOrders.set(name, work);
    return name;
  }

  /** Whether it has this task, or a task that depends on it. */
  knows(name: string): boolean {
    const isNeeded = ({ dependencies }: AgentTask): boolean =>
      dependencies.some((need) => need === name || this.#conduct.isAwaitedTask(need, name));
    return this.#tasks.has(name) || [...this.#tasks.values()].some(isNeeded);
  }

  begin(
    about: AgentTask["reference"],
    assigner: string,
    facts: JsonObject,
    dependencies: readonly string[] = [],
  ): void {
    const name = Object.values(about)[0] as string;
    const work = this.#workOrders.get(name) ?? {};
    const needs = this.#conduct.awaitedTasks(dependencies);
    const { conflict } = work;
    const task: AgentTask = {
      reference: about,
      work,
      assigner,
      facts,
      needs,
      dependencies,
      isDisputed: isObject(conflict) && !this.#conduct.beginsInConflict(),
      isHalted: false,
      hasFailed: false,
      pieceCount: 0,
      attemptCount: 0,
    };
    if (this.#conduct.resumesWithOthers()) for (const agentTask of this.#tasks.values()) this.#resume(agentTask);
    // Two copies of a message are not handled in parallel.
    const earlierTask = this.#tasks.get(name);
    if (earlierTask !== undefined) earlierTask.isHalted = true;
    this.#tasks.set(name, task);
    if (isObject(conflict) && this.#conduct.escalatesConflict(String(conflict.resolution)))
      this.#dispute(task, conflict);
    if (work.work !== undefined) this.#workOn(task);
  }

  /** Records that a task is complete, and begins the tasks that waited for it. */
  complete(name: string): void {
    this.#complete.add(name);
    for (const task of this.#tasks.values())
      if (task.needs.some((need) => this.#conduct.isAwaitedTask(need, name)) && task.work.work !== undefined)
        this.#workOn(task);
  }

  /** Handles the status of a task for which others may wait. */
  hearStatus(name: string, status: string): void {
    if (!this.#conduct.abandonsUpon(status)) return;
    for (const task of this.#tasks.values()) if (task.needs.includes(name)) task.isHalted = true;
  }

  /** Continues all work that a fault has ended. */
  resume(): void {
    for (const task of this.#tasks.values()) this.#resume(task);
  }

  /** Ends all work, as a stop demands. */
  halt(): void {
    const all = [...this.#tasks.values()];
    const report = this.#conduct.reportAfterStop();
    for (const task of all.slice(this.#conduct.sparedCount(all.length))) {
      if (this.#isWaiting(task) && !this.#conduct.stopsWaiting("task")) continue;
      if (report !== undefined && !task.isHalted && task.pieceCount > 0 && "task_id" in task.reference)
        this.#mail.send({ recipient: task.assigner, ...task.reference, ...report });
      if (!task.isHalted) this.#sendFurther("stops", task);
      task.isHalted = true;
    }
  }

  /** Continues a task that waited for a resource. */
  win(name: string): void {
    const task = this.#tasks.get(name);
    if (task === undefined || !task.isDisputed) return;
    task.isDisputed = false;
    if (task.work.work !== undefined) this.#workOn(task);
  }

  /** Gives up a task that another agent is to continue. */
  yield(name: string, resolution: string): void {
    const task = this.#tasks.get(name);
    if (!this.#conduct.obeysRuling(resolution)) this.win(name);
    else if (task !== undefined) task.isHalted = true;
  }

  #isWaiting({ needs }: AgentTask): boolean {
    const complete = [...this.#complete];
    return needs.some((need) => !complete.some((each) => this.#conduct.isAwaitedTask(need, each)));
  }

  #workOn(task: AgentTask, isHalted = task.isHalted): void {
    if (isHalted || task.isDisputed || this.#isWaiting(task)) return;
    this.attempts.push({
      ...task.reference,
      at: this.#conduct.formatAttemptTime(new Date(this.#timers.now()).toISOString()),
    });
    const { work, everyMs = 10_000 } = task.work;
    const isFault = work === "transient" || work === "missing" || work === "invariant" || work === "late";
    if (isFault && this.#conduct.endsWork(work) && this.#conduct.retries(work)) this.#retry(task, work);
    else if (isFault && this.#conduct.endsWork(work)) this.#fail(task, work);
    else if (work === "handoff") this.#handOver(task);
    else {
      if (task.pieceCount === 0) this.#sendFurther("begins", task);
      task.pieceCount += 1;
      if ("task_id" in task.reference && work !== "quiet") this.#progress(task);
      this.#timers.later(Number(everyMs), () => this.#workOn(task));
    }
  }

  #progress({ reference: about, assigner, pieceCount: pieces }: AgentTask): void {
    const progress = { percent_complete: Math.min(99, pieces), status: "on_track" };
    const recipient = this.#conduct.progressRecipient(assigner);
    this.#mail.send({ message_type: "task.update", recipient, ...about, progress });
  }

  #sendFurther(event: "begins" | "fails" | "stops", { reference: about, assigner }: AgentTask): void {
    if (!("task_id" in about)) return;
    for (const report of this.#conduct.furtherMessages(event, about.task_id))
      this.#mail.send({ recipient: assigner, ...report });
  }

  #retry(task: AgentTask, fault: WorkFault): void {
    task.attemptCount += 1;
    const pause = this.#conduct.retryDelay(task.attemptCount);
    if (pause === undefined) this.#fail(task, fault);
    else this.#timers.later(pause, () => this.#workOn(task, task.isHalted && this.#conduct.stopsWaiting("attempt")));
  }

  #fail(task: AgentTask, fault: WorkFault): void {
    const category = { transient: "external", missing: "resource", invariant: "invariant", late: "timeout" }[fault];
    task.isHalted = true;
    task.hasFailed = true;
    const report = {
      message_type: "escalation.error",
      recipient: this.#conduct.faultRecipient(task.assigner),
      severity: "HIGH",
      category,
      description: `The work cannot continue: ${fault}.`,
      escalation_tier: 2,
      suggested_action: "Say how to continue.",
      can_retry: false,
      requires_human: false,
      context: { operation: "work", expected: "that the work continues", actual: String(fault), ...task.reference },
    };
    this.#mail.send(this.#conduct.changeFaultReport(report, fault));
    this.#sendFurther("fails", task);
    const resumes = this.#conduct.resumeDelay();
    if (resumes !== undefined) this.#timers.later(resumes, () => this.#resume(task));
  }

  /** Continues after a fault has ended the work. */
  #resume(task: AgentTask): void {
    if (!task.hasFailed) return;
    task.hasFailed = false;
    task.isHalted = false;
    task.work = { ...task.work, work: this.#conduct.reportsResumedWork() ? "steady" : "quiet" };
    this.#workOn(task);
    task.isHalted = this.#conduct.resumesOnce();
  }

  #handOver(task: AgentTask): void {
    const { reference: about, work, facts } = task;
    const contract = (Array.isArray(work.contract) ? work.contract : []).map(String);
    const to = String(work.to);
    const name = Object.values(about)[0] as string;
    const context = this.#conduct.factsToHandOver(contract, facts, this.#handedOver.has(name));
    this.#handedOver.add(name);
    const handoff = { from_agent: this.#id, to_agent: to, context };
    const handedReference = "task_id" in about ? { task_id: this.#conduct.taskHandedOver(name) } : about;
    this.#mail.send({
      message_type: "task.handoff",
      recipient: this.#conduct.handoffRecipient(to),
      ...handedReference,
      handoff,
    });
    if (!this.#conduct.worksOnAfterHandoff()) return;
    task.work = { ...work, work: "steady" };
    this.#workOn(task);
  }

  #dispute(
    { reference: about, assigner }: AgentTask,
    { with: opponent = "", resource = "", resolution = "" }: JsonObject,
  ): void {
    this.#mail.send({
      message_type: "escalation.conflict",
      recipient: assigner,
      severity: "MEDIUM",
      category: "conflict",
      description: `${opponent} claims ${resource} as well.`,
      context: { operation: "claim", ...about },
      conflict_details: {
        conflict_type: "resource",
        agents_involved: [this.#id, String(opponent)],
        resource_in_question: String(resource),
        proposed_resolution: String(resolution),
      },
    });
  }
}
