import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace-node';

const ROOTS = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
} as const satisfies Record<string, (ratio: number) => Sampler>;

/** The names of OpenTelemetry; `parentbased_`: where the caller's trace says whether it is sampled, that holds. */
const SAMPLERS = {
  ...ROOTS,
  parentbased_always_on: () => new ParentBasedSampler({ root: ROOTS.always_on() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: ROOTS.always_off() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: ROOTS.traceidratio(ratio) }),
} as const satisfies Record<string, (ratio: number) => Sampler>;

export type SamplerName = keyof typeof SAMPLERS;

export const samplerOf = (name: SamplerName, ratio: number): Sampler => {
  const make: (ratio: number) => Sampler = SAMPLERS[name];
  return make(ratio);
};
