import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { Timers } from "../timers.ts";
import type { AgentConduct, WorkFault } from "./conduct.ts";
import type { Mailroom } from "./mailroom.ts";

/** How the work on a task or cue should proceed, as described by the hook `assign`. */
export type WorkOrder = JsonObject;

interface AgentTask {
  /** The member that identifies the task or cue in messages. */
  reference: { task_id: string } | { cue_id: string };
  work: WorkOrder;
  assigner: string;
  facts: JsonObject;
  /** Tasks that must be complete before it begins. */
  awaitedTasks: readonly string[];
  /** All dependencies in its assignment. */
  dependencies: readonly string[];
  /** Whether it waits for a ruling. */
  isDisputed: boolean;
  isHalted: boolean;
  /** Whether a fault has ended it. */
  hasFailed: boolean;
  pieceCount: number;
  attemptCount: number;
}

/** The tasks and cues that an agent works on. */
export class Tasks {
  readonly attempts: JsonObject[] = [];
  readonly #workOrders = new Map<string, WorkOrder>();
  readonly #completedTasks = new Set<string>();
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

  /** Copies the work order of a task to another name, and returns that name. */
  copyWorkOrder(task: string, name: string): string {
    const work = this.#workOrders.get(task);
    if (work !== undefined) this.#workOrders.set(name, work);
    return name;
  }

  /** Whether the agent has this task, or a task that depends on it. */
  knows(name: string): boolean {
    const isNeeded = ({ dependencies }: AgentTask): boolean =>
      dependencies.some((dependency) => dependency === name || this.#conduct.isAwaitedTask(dependency, name));
    return this.#tasks.has(name) || [...this.#tasks.values()].some(isNeeded);
  }

  begin(
    reference: AgentTask["reference"],
    assigner: string,
    facts: JsonObject,
    dependencies: readonly string[] = [],
  ): void {
    const name = Object.values(reference)[0] as string;
    const work = this.#workOrders.get(name) ?? {};
    const awaitedTasks = this.#conduct.awaitedTasks(dependencies);
    const { conflict } = work;
    const task: AgentTask = {
      reference,
      work,
      assigner,
      facts,
      awaitedTasks,
      dependencies,
      isDisputed: isObject(conflict) && !this.#conduct.beginsInConflict(),
      isHalted: false,
      hasFailed: false,
      pieceCount: 0,
      attemptCount: 0,
    };
    if (this.#conduct.resumesWithOthers()) for (const otherTask of this.#tasks.values()) this.#resume(otherTask);
    // A repeated assignment replaces the earlier one, so that its work is not done twice in parallel.
    const earlierTask = this.#tasks.get(name);
    if (earlierTask !== undefined) earlierTask.isHalted = true;
    this.#tasks.set(name, task);
    if (isObject(conflict) && this.#conduct.escalatesConflict(String(conflict.resolution)))
      this.#dispute(task, conflict);
    if (work.work !== undefined) this.#workOn(task);
  }

  /** Records that a task is complete, and begins the tasks that waited for it. */
  complete(name: string): void {
    this.#completedTasks.add(name);
    for (const task of this.#tasks.values())
      if (
        task.awaitedTasks.some((awaited) => this.#conduct.isAwaitedTask(awaited, name)) &&
        task.work.work !== undefined
      )
        this.#workOn(task);
  }

  /** Handles the status of a task that others may depend on. */
  handleStatus(name: string, status: string): void {
    if (!this.#conduct.abandonsUpon(status)) return;
    for (const task of this.#tasks.values()) if (task.awaitedTasks.includes(name)) task.isHalted = true;
  }

  /** Continues all tasks that a fault has ended. */
  resume(): void {
    for (const task of this.#tasks.values()) this.#resume(task);
  }

  /** Ends all work because of a stop. */
  halt(): void {
    const tasks = [...this.#tasks.values()];
    const report = this.#conduct.reportAfterStop();
    for (const task of tasks.slice(this.#conduct.sparedCount(tasks.length))) {
      if (this.#isWaiting(task) && !this.#conduct.stopsWaiting("task")) continue;
      if (report !== undefined && !task.isHalted && task.pieceCount > 0 && "task_id" in task.reference)
        this.#mail.send({ recipient: task.assigner, ...task.reference, ...report });
      if (!task.isHalted) this.#sendFurther("stops", task);
      task.isHalted = true;
    }
  }

  /** Continues a disputed task after a ruling in favour of the agent. */
  win(name: string): void {
    const task = this.#tasks.get(name);
    if (task === undefined || !task.isDisputed) return;
    task.isDisputed = false;
    if (task.work.work !== undefined) this.#workOn(task);
  }

  /** Gives up a disputed task after a ruling against the agent. */
  yield(name: string, resolution: string): void {
    const task = this.#tasks.get(name);
    if (!this.#conduct.obeysRuling(resolution)) this.win(name);
    else if (task !== undefined) task.isHalted = true;
  }

  #isWaiting({ awaitedTasks }: AgentTask): boolean {
    const completedTasks = [...this.#completedTasks];
    return awaitedTasks.some((awaited) => !completedTasks.some((task) => this.#conduct.isAwaitedTask(awaited, task)));
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
      if ("task_id" in task.reference && work !== "quiet") this.#reportProgress(task);
      this.#timers.scheduleAfter(Number(everyMs), () => this.#workOn(task));
    }
  }

  #reportProgress({ reference, assigner, pieceCount }: AgentTask): void {
    const progress = { percent_complete: Math.min(99, pieceCount), status: "on_track" };
    const recipient = this.#conduct.progressRecipient(assigner);
    this.#mail.send({ message_type: "task.update", recipient, ...reference, progress });
  }

  #sendFurther(event: "begins" | "fails" | "stops", { reference, assigner }: AgentTask): void {
    if (!("task_id" in reference)) return;
    for (const report of this.#conduct.furtherMessages(event, reference.task_id))
      this.#mail.send({ recipient: assigner, ...report });
  }

  #retry(task: AgentTask, fault: WorkFault): void {
    task.attemptCount += 1;
    const pause = this.#conduct.retryDelay(task.attemptCount);
    if (pause === undefined) this.#fail(task, fault);
    else
      this.#timers.scheduleAfter(pause, () =>
        this.#workOn(task, task.isHalted && this.#conduct.stopsWaiting("attempt")),
      );
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
    if (resumes !== undefined) this.#timers.scheduleAfter(resumes, () => this.#resume(task));
  }

  /** Continues a task that a fault has ended. */
  #resume(task: AgentTask): void {
    if (!task.hasFailed) return;
    task.hasFailed = false;
    task.isHalted = false;
    task.work = { ...task.work, work: this.#conduct.reportsResumedWork() ? "steady" : "quiet" };
    this.#workOn(task);
    task.isHalted = this.#conduct.resumesOnce();
  }

  #handOver(task: AgentTask): void {
    const { reference, work, facts } = task;
    const contract = (Array.isArray(work.contract) ? work.contract : []).map(String);
    const toAgent = String(work.to);
    const name = Object.values(reference)[0] as string;
    const context = this.#conduct.factsToHandOver(contract, facts, this.#handedOver.has(name));
    this.#handedOver.add(name);
    const handoff = { from_agent: this.#id, to_agent: toAgent, context };
    const handedReference = "task_id" in reference ? { task_id: this.#conduct.taskHandedOver(name) } : reference;
    this.#mail.send({
      message_type: "task.handoff",
      recipient: this.#conduct.handoffRecipient(toAgent),
      ...handedReference,
      handoff,
    });
    if (!this.#conduct.worksOnAfterHandoff()) return;
    task.work = { ...work, work: "steady" };
    this.#workOn(task);
  }

  #dispute(
    { reference, assigner }: AgentTask,
    { with: opponent = "", resource = "", resolution = "" }: JsonObject,
  ): void {
    this.#mail.send({
      message_type: "escalation.conflict",
      recipient: assigner,
      severity: "MEDIUM",
      category: "conflict",
      description: `${opponent} claims ${resource} as well.`,
      context: { operation: "claim", ...reference },
      conflict_details: {
        conflict_type: "resource",
        agents_involved: [this.#id, String(opponent)],
        resource_in_question: String(resource),
        proposed_resolution: String(resolution),
      },
    });
  }
}
