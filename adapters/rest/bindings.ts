import type { RestBinding } from './binding.ts';
import { recordBindings } from './v1/records-bindings.ts';

/** Every operation that REST offers. */
export const BINDINGS: readonly RestBinding[] = [...recordBindings];
