import type { Operation } from '../application/call/operation.ts';
import * as record from '../application/record/operations.ts';

/** Every operation of the service; a feature adds its own here. */
export const OPERATIONS: readonly Operation[] = [record].flatMap((feature) =>
  Object.values(feature),
);
