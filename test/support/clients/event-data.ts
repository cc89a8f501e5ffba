import { EVENT_DATA } from '../../../domain/event/event-data.ts';
import type { EventType } from '../../../domain/event/event-types.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { compileClosedSchema, type SchemaFault } from '../../../domain/kernel/closed-schema.ts';

/** What is wrong with the data of an event, by the schema of its type; null where nothing is. */
export const dataFault = (type: EventType, data: object): SchemaFault | null =>
  compileClosedSchema(EVENT_DATA[type])(data as JsonObject);
