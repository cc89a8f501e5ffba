import type { Target } from '../call/operation.ts';

/** The record that a call acts on. */
export const recordTarget = ({ recordId }: { readonly recordId?: unknown }): Target | null =>
  typeof recordId === 'string' ? { kind: 'record', id: recordId.toLowerCase() } : null;
