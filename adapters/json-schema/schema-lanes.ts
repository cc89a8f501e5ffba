import { SchemaLane } from './schema-lane.ts';

/** Types are registered in one lane and content is validated in another, so neither holds the other up. */
export class SchemaLanes {
  /** One registration has one task at a time, so few tasks are many registrations. */
  readonly registration = new SchemaLane({ tasksPerOrg: 16 });
  readonly validation = new SchemaLane();

  async stop(): Promise<void> {
    await Promise.all([this.registration.stop(), this.validation.stop()]);
  }
}
