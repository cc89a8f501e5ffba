import type { Caller } from '../../domain/identity/caller.ts';
import type { Keyset } from '../../domain/kernel/page.ts';

/** One thing to do next: an operation and what is known of its input. A front-end says how it is called there. */
export interface NextStep {
  readonly action: string;
  readonly operation: string;
  readonly input: { readonly [member: string]: string };
  readonly description: string;
  readonly workflowStep?: number;
  readonly workflowTotal?: number;
  readonly workflowLabel?: string;
  /** What follows once this is done. */
  readonly afterThis?: string;
}

/** What a view may know of the call besides the result. */
export interface Guide {
  readonly requestId: string;
  readonly caller: Caller | null;
  /** Those of the steps that exist and are open to this caller, in the same order. */
  steps(...steps: readonly NextStep[]): readonly NextStep[];
  /** Where a listing goes on, as text that no caller can make; null at the end. */
  cursor(next: Keyset | null): string | null;
}
