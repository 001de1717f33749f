/** Values between SQL and JavaScript: one decoding and one encoding for both kinds of database. */

/** Object identifiers of the types that are decoded; all other types stay texts. */
const oid = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  date: 1082,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
} as const

type Decoder = (text: string) => unknown

/** `2026-03-01 10:00:00.12+00` → `2026-03-01T10:00:00.120Z`; the session's zone is UTC (contract, dates). */
function toMoment(text: string): string {
  if (!text.endsWith('+00') || text.charAt(10) !== ' ') return text
  const fraction = text.slice(20, -3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

const parseJson = (text: string): unknown => JSON.parse(text)

/** Decoders of single values by type. Dates stay `YYYY-MM-DD`; integers and decimals become numbers. */
export const decoders: Readonly<Record<number, Decoder>> = {
  [oid.bool]: (text) => text === 't',
  [oid.int8]: Number,
  [oid.int2]: Number,
  [oid.int4]: Number,
  [oid.oid]: Number,
  [oid.float4]: Number,
  [oid.float8]: Number,
  [oid.numeric]: Number,
  [oid.json]: parseJson,
  [oid.jsonb]: parseJson,
  [oid.date]: (text) => text,
  [oid.timestamptz]: toMoment,
}

/** Types of lists, each with the type of its elements; texts have no decoder. */
export const arrayTypes: Readonly<Record<number, number>> = {
  199: oid.json,
  1000: oid.bool,
  1005: oid.int2,
  1007: oid.int4,
  1009: 25,
  1015: 1043,
  1016: oid.int8,
  1021: oid.float4,
  1022: oid.float8,
  1028: oid.oid,
  1182: oid.date,
  1185: oid.timestamptz,
  1231: oid.numeric,
  2951: 2950,
  3807: oid.jsonb,
}

/** An encoded parameter: text, null, or a list of them. */
export type EncodedParameter = string | null | EncodedParameter[]

/**
 * Encodes one parameter the same way for both drivers, so
 * that a statement cannot work on one and fail on the other.
 *
 * @param value - Text, number, boolean, date, list, plain object (sent as JSON), null or undefined. A list
 *   for a JSON column must be given as JSON text.
 */
export function encodeValue(value: unknown): EncodedParameter {
  if (value === null || value === undefined) return null
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      if (value instanceof Date) return value.toISOString()
      if (Array.isArray(value)) return value.map(encodeValue)
      return JSON.stringify(value)
  }
}
