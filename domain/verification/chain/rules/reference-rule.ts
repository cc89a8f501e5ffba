import { MAX_REFERENCES } from '../../../kernel/reference-target.ts';
import { referenceKey } from './chain-memory.ts';
import type { StepRule } from './sealed-step.ts';

/** A reference is added once, and a record has a limited number of them. */
export const checkReference: StepRule = ({ entry: { reference }, memory }, fail) => {
  if (!reference) return;
  if (memory.referenceIds.has(reference.id) || memory.references.has(referenceKey(reference)))
    fail('the reference was added before');
  if (memory.references.size >= MAX_REFERENCES)
    fail(`a record has at most ${MAX_REFERENCES} references`);
};
