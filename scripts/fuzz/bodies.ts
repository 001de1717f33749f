/**
 * Random bodies for the fuzz proof: drafts of each resource with at most one wrong field, multipart forms,
 * and rubbish.
 */
import { type Field, isLink, isToMany, type Resource } from '../../packages/model/src/index.ts'
import { type RandomDraws, oddText, oddValue } from '../lib/draws.ts'

export interface Body {
  type?: string
  bytes?: Buffer
}

/** Ids of existing records, by the resource's name in the model. */
export type KnownIds = ReadonlyMap<string, readonly number[]>

const json = 'application/json'
const toJsonBody = (value: unknown): Body => ({ type: json, bytes: Buffer.from(JSON.stringify(value)) })

/** Makes a link in one of the forms that clients write, or in an invalid form. */
function linkValue(draws: RandomDraws, isMany: boolean, ids: readonly number[]): unknown {
  const id = ids.length > 0 && draws.chance(0.9) ? draws.pick(ids) : draws.below(200)
  const forms: (() => unknown)[] = [
    () => id,
    () => String(id),
    () => ({ id }),
    () => [id],
    () => null,
    () => [],
    () => ({ connect: [id] }),
    () => ({ set: [{ id }] }),
    () => ({ disconnect: [String(id)] }),
  ]
  const wrongBodies: (() => unknown)[] = [
    () => ({ connect: id }),
    () => ({ connect: [{ id, position: { end: true } }], disconnect: [{ id }] }),
    () => ({ connect: null }),
    () => ({ set: {} }),
    () => [id, id, null],
    () => [{ id: null }],
    () => [[id]],
    () => ({ id: { id } }),
    () => 2 ** 31,
    () => -1,
    () => 'abc',
    () => draws.list(1_200, () => id),
    () => ({ data: { id, attributes: {} } }),
  ]
  if (draws.chance(0.15)) return draws.pick(wrongBodies)()
  return isMany && draws.chance(0.5) ? draws.list(draws.below(4), () => id) : draws.pick(forms)()
}

function makeRightValue(draws: RandomDraws, name: string, field: Field, knownIds: KnownIds): unknown {
  const number = draws.below(1_000_000)
  if (isLink(field)) return linkValue(draws, isToMany(field), knownIds.get(field.target) ?? [])
  switch (field.kind) {
    case 'int':
    case 'decimal':
      return field.min ?? draws.below(9)
    case 'bool':
      return draws.chance(0.5)
    case 'date':
      return new Date(Date.UTC(2020, 0, draws.below(3_000))).toISOString().slice(0, 10)
    case 'dateTime':
      return new Date(Date.UTC(2020, 0, draws.below(3_000))).toISOString()
    case 'choice':
      return draws.pick(field.values)
    case 'translations':
      return { en: `${name} ${number}`, kaa: `á ${number}` }
    case 'json':
      return draws.pick([{}, [], [{ id: `part-${number}`, title: name }]])
    case 'email':
      return `fuzz-${number}@example.org`
    case 'link':
      return `https://example.org/${number}`
    case 'slug':
      return `slug-${number}`
    case 'colour':
      return '#1a2b3c'
    case 'password':
      return 'Harvest-2026'
    default:
      return `${name} ${number}`
  }
}

/** Makes a draft of a record that could be valid, often with one mistake. */
function draft(draws: RandomDraws, resource: Resource, knownIds: KnownIds): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    // Random passwords are rare, because hashing one takes as long as hundreds of other requests.
    const drawShare = field.kind === 'password' ? 0.05 : 0.4
    if (!field.readOnly && ((field.required && field.kind !== 'password') || draws.chance(drawShare)))
      values[name] = makeRightValue(draws, name, field, knownIds)
  }
  if (draws.chance(0.3)) values['locale'] = draws.pick(['en', 'ru', 'uz', 'kaa', 'de', '', null, 5, '*'])
  if (draws.chance(0.5)) {
    const system = ['id', 'version', 'createdAt', 'localizations', 'role', 'blocked', 'sender', 'room', '__proto__']
    values[draws.pick([...Object.keys(resource.fields), ...Object.keys(resource.fields), ...system])] = oddValue(draws)
  }
  return values
}

function multipart(draws: RandomDraws, resource: Resource | undefined, knownIds: KnownIds): Body {
  const boundary = 'fuzz-boundary'
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const file = () => (draws.chance(0.6) ? picture : Buffer.from(oddText(draws)))
  const field = () =>
    draws.pick(['files', 'files.image', 'files.bogus', 'files.avatar', 'data', 'fileInfo', 'kind', 'ref', ''])
  const parts = draws.list(draws.below(4), () => {
    const sendsFile = draws.chance(0.6)
    const name = field()
    const fileParameter = sendsFile
      ? `; filename="${draws.pick(['a.png', 'b.xlsx', '../c', '', 'x'.repeat(300)])}"`
      : ''
    const type = sendsFile ? `\r\ncontent-type: ${draws.pick(['image/png', 'text/html', 'x'])}` : ''
    return [
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileParameter}${type}\r\n\r\n`),
      sendsFile ? file() : Buffer.from(JSON.stringify(oddValue(draws))),
      Buffer.from('\r\n'),
    ]
  })
  const data = resource ? JSON.stringify(draft(draws, resource, knownIds)) : '{}'
  parts.push([Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="data"\r\n\r\n${data}\r\n`)])
  const end = Buffer.from(draws.pick([`--${boundary}--\r\n`, `--${boundary}--\r\n`, '', `--${boundary}`, 'rubbish']))
  const bodyBytes = Buffer.concat([...parts.flat(), end])
  return {
    type: draws.pick([
      `multipart/form-data; boundary=${boundary}`,
      `multipart/form-data; boundary=${boundary}`,
      'multipart/form-data',
      'multipart/form-data; boundary=other',
      'multipart/form-data; boundary=',
    ]),
    bytes: draws.chance(0.1) ? bodyBytes.subarray(0, draws.below(bodyBytes.length)) : bodyBytes,
  }
}

/**
 * Makes a random body for a route.
 *
 * @param draws - The random generator.
 * @param resource - The resource that the route writes, if any.
 * @param documentedFields - The keys that the route documents.
 * @param echoedRecord - An existing record to send back, if any.
 * @param knownIds - Ids of existing records.
 * @returns A body and its content type.
 */
export function randomBody(
  draws: RandomDraws,
  resource: Resource | undefined,
  documentedFields: readonly string[],
  echoedRecord: Record<string, unknown> | undefined,
  knownIds: KnownIds,
): Body {
  const kind = draws.below(20)
  if (kind === 0) return toJsonBody(oddValue(draws))
  if (kind === 1) return toJsonBody({ data: oddValue(draws) })
  if (kind === 2) {
    const text = Buffer.from(JSON.stringify({ data: resource ? draft(draws, resource, knownIds) : {} }))
    return { type: json, bytes: text.subarray(0, draws.below(text.length)) }
  }
  if (kind === 3) {
    const types = [
      'text/plain',
      'text/html',
      `${json}; charset=utf-16`,
      `${json}x`,
      '/',
      'application/x-www-form-urlencoded',
      'application/xml',
      'image/png',
      'image/',
      ';',
    ]
    return { type: draws.pick(types), bytes: Buffer.from(oddText(draws)) }
  }
  if (kind === 4 && draws.chance(0.5)) return multipart(draws, resource, knownIds)
  if (kind === 5) return draws.chance(0.5) ? {} : { type: json }
  if (kind === 6 && draws.chance(0.05)) return toJsonBody({ data: { title: 'x'.repeat(1_100_000) } })
  if (kind === 6) {
    const bytes = [...Buffer.from('{"data":{"title":"a"}}')]
    bytes[draws.below(bytes.length)] = draws.below(256)
    return { type: json, bytes: Buffer.from(bytes) }
  }
  if (resource === undefined || (documentedFields.length > 0 && draws.chance(0.7))) {
    const values = Object.fromEntries(
      documentedFields
        .filter(() => draws.chance(0.8))
        .map((name) => [name, draws.chance(0.5) ? oddValue(draws) : draws.pick([1, 2, '3', 'me', null, 'text', 'en'])]),
    )
    return toJsonBody(draws.chance(0.5) ? { data: values } : values)
  }
  const isEcho = echoedRecord !== undefined && draws.chance(0.3)
  const values = isEcho
    ? { ...echoedRecord, ...(draws.chance(0.5) && draft(draws, resource, knownIds)) }
    : draft(draws, resource, knownIds)
  return toJsonBody(resource.unwrapped === draws.chance(0.95) ? values : { data: values })
}
