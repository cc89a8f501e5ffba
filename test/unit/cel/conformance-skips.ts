import type { ConformanceCase } from './conformance-cases.ts';
import { inputOf } from './conformance-values.ts';
import { ERROR, expectedOf } from './conformance-cases.ts';

/** Why cases of cel-spec's data are not run. Those that expect an error are always run. */
export const skipReason = (conformance: ConformanceCase): string | null => {
  if (expectedOf(conformance.test) === ERROR) return null;
  return SKIPS.find(({ applies }) => applies(conformance))?.reason ?? null;
};

interface Skip {
  readonly reason: string;
  readonly applies: (conformance: ConformanceCase) => boolean;
}

const paths = (...skipped: readonly string[]): Skip['applies'] => {
  const set = new Set(skipped);
  return ({ path }) => set.has(path);
};

const files = (...skipped: readonly string[]): Skip['applies'] => {
  const set = new Set(skipped);
  return ({ file }) => set.has(file);
};

const MESSAGE =
  /\bValue\{|TestAllTypes|NestedTestAllTypes|TestRequired|google\.protobuf\.\w+ *\{|\bmsg\b|GlobalEnum|NestedEnum/;

const SKIPS: readonly Skip[] = [
  {
    reason: 'an extension that is not offered: gates have the standard definitions and no more',
    applies: files(
      'bindings_ext',
      'block_ext',
      'encoders_ext',
      'macros2',
      'math_ext',
      'optionals',
      'proto2_ext',
      'string_ext',
    ),
  },
  {
    reason: 'messages and enumerations of protobuf: gates have JSON, timestamps and durations',
    applies: ({ test, file }) =>
      ['enums', 'proto2', 'proto3', 'wrappers'].includes(file) ||
      MESSAGE.test(test.expr) ||
      Object.values(test.bindings).some(
        ({ kind }) => kind.case !== 'value' || inputOf(kind.value) === undefined,
      ),
  },
  {
    reason: 'deduces the type alone; there is no value to compare',
    applies: ({ test, file }) =>
      file === 'type_deductions' &&
      (test.checkOnly || /\b(optional|tuple|sort|fn)\b|^\W+$|\[\]\.map/.test(test.expr)),
  },
  {
    reason:
      'names with dots, and a container to look them up in: variables of gates are plain names',
    applies: paths(
      'fields/qualified_identifier_resolution/qualified_ident',
      'fields/qualified_identifier_resolution/map_field_select',
      'fields/qualified_identifier_resolution/qualified_identifier_resolution_unchecked',
      'fields/qualified_identifier_resolution/ident_with_longest_prefix_check',
      'namespace/qualified/self_eval_qualified_lookup',
      'namespace/namespace/self_eval_container_lookup',
      'namespace/namespace/self_eval_container_lookup_unchecked',
    ),
  },
  {
    reason:
      'shows what an unchecked expression does; a gate is checked and refused at registration',
    applies: ({ path }) =>
      path.startsWith('parse/receiver_function_names/') ||
      [
        'basic/variables/unbound_is_runtime_error',
        'basic/functions/unbound_is_runtime_error',
        'logic/AND/short_circuit_type_left',
        'logic/AND/short_circuit_type_right',
        'logic/OR/short_circuit_type_left',
        'logic/OR/short_circuit_type_right',
      ].includes(path),
  },
  {
    reason: 'members in backticks are not read; value["name"] says the same',
    applies: paths(
      'fields/quoted_map_fields/field_access_slash',
      'fields/quoted_map_fields/field_access_dash',
      'fields/quoted_map_fields/field_access_dot',
      'fields/quoted_map_fields/has_field_slash',
      'fields/quoted_map_fields/has_field_dash',
      'fields/quoted_map_fields/has_field_dot',
    ),
  },
  {
    reason: 'named time zones are refused: their rules change over the years',
    applies: paths(
      'timestamps/timestamp_selectors_tz/getDate',
      'timestamps/timestamp_selectors_tz/getDayOfMonth_name_pos',
      'timestamps/timestamp_selectors_tz/getDayOfMonth_name_neg',
      'timestamps/timestamp_selectors_tz/getDayOfYear',
      'timestamps/timestamp_selectors_tz/getMinutes',
    ),
  },
];
