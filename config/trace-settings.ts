import type { SamplerName } from '../adapters/telemetry/samplers.ts';
import { headerPairs } from './header-setting.ts';
import { choice, ratio, text, url } from './setting-types.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const satisfies readonly SamplerName[];

/** Where traces go, under the names that OpenTelemetry gave its settings. */
export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    default: '',
    defaultText: 'unset: no traces',
    protocols: ['http:', 'https:'],
    description:
      'Base URL of a collector of OpenTelemetry, to which traces are sent by OTLP over HTTP, as JSON, at <URL>/v1/traces; its certificate may be of EGRESS_CA',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: headerPairs({
    description: 'Headers of each request to the collector, such as its token; usually a file',
  }),
  OTEL_SERVICE_NAME: text({
    default: '',
    defaultText: 'notary',
    pattern: /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u,
    allowed: 'printable characters on one line',
    description: 'What this service is called in traces',
  }),
  OTEL_TRACES_SAMPLER: choice<SamplerName>({
    default: 'parentbased_always_on',
    values: SAMPLERS,
    description:
      'Which traces are told; parentbased: where the caller sends a traceparent, what that says, else as the rest of the name. Where callers are not to decide: traceidratio',
  }),
  OTEL_TRACES_SAMPLER_ARG: ratio({
    default: 1,
    min: 0,
    max: 1,
    description: 'The part of all traces that the samplers with traceidratio tell, 0 to 1',
  }),
} as const;
