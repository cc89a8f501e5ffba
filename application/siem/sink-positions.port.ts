import type { SiemPlace } from './siem-cursors.ts';

export const SINKS = ['file', 'http'] as const;
export type SinkName = (typeof SINKS)[number];

/** The last event that a sink has. */
export type SinkPosition = Extract<SiemPlace, { readonly sequence: number }>;

/** How far each sink is. All nodes share it. */
export interface SinkPositions {
  /** Null before the first event. @throws CONFLICT with reason payload_drift where somebody else wrote it. */
  find(sink: SinkName): Promise<SinkPosition | null>;
  /** False, and nothing is written, where the sink is not at `from` any more: another node moved it. */
  move(sink: SinkName, from: SinkPosition | null, to: SinkPosition): Promise<boolean>;
}
