/** Writes multipart forms of the generic routes: a record and its pictures in one request (contract §4). */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fault, type Field, isLink, isToMany, type Resource } from '@dala/model'
import { parseJson } from '../../../http/json.ts'
import { isObject } from '../../../resources/read/context.ts'
import type { ReceiveFiles } from '../../../resources/write/receive-files.ts'
import { receiveForm, type ReceivedForm } from '../receive.ts'
import type { Uploads } from '../uploads.ts'

const prefix = 'files.'

/** Returns the picture field of a part of a multipart form; undefined when there is none. */
function pictureField(resource: Resource, partName: string): { name: string; many: boolean } | undefined {
  const name = partName.startsWith(prefix) ? partName.slice(prefix.length) : ''
  const field: Field | undefined = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
  return field && isLink(field) && field.target === 'uploads' && !field.readOnly
    ? { name, many: isToMany(field) }
    : undefined
}

/**
 * Returns the inner data of a multipart form.
 *
 * @throws 400 without the part `data`.
 */
function readData({ fields }: ReceivedForm): Record<string, unknown> {
  const [text] = fields.get('data') ?? []
  const data = text === undefined ? undefined : parseJson(Buffer.from(text))
  if (!isObject(data)) throw fault('request.data-missing')
  return { ...data }
}

/** Computes a digest of the multipart form's data and the bytes of every file. */
async function digestOf({ fields, files }: ReceivedForm): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(fields.get('data') ?? []))
  for (const { field, file } of files) hash.update(`\n${field}\n`).update(await readFile(file))
  return hash.digest('hex')
}

/** Creates the function that the generic routes call for multipart forms; see its type. */
export function receiveFilesWith(uploads: Uploads): ReceiveFiles {
  return (request, author, resource, write) =>
    uploads.receive(author.caller.id, async (receiveOptions) => {
      const takesPart = (partName: string) => pictureField(resource, partName) !== undefined
      const form = await receiveForm(request, takesPart, receiveOptions)
      const draft = readData(form)
      const digest = await digestOf(form)
      const targets = form.files.map(({ field }) => pictureField(resource, field))
      for (const target of targets) {
        const count = targets.filter((otherTarget) => otherTarget?.name === target?.name).length
        if (target && !target.many && count > 1) throw fault('upload.too-many-files', { params: { count: 1 } })
      }
      const ids = await uploads.store(author, await uploads.decode(form.files, receiveOptions), [])
      for (const [index, target] of targets.entries()) {
        const id = ids[index]
        if (!target || id === undefined) continue
        const listedValue: unknown = target.many ? draft[target.name] : undefined
        draft[target.name] = [...(Array.isArray(listedValue) ? (listedValue as unknown[]) : []), id]
      }
      try {
        const { answer, isFirst } = await write(draft, digest)
        if (!isFirst) await uploads.discard(author, ids)
        return answer
      } catch (error) {
        await uploads.discard(author, ids)
        throw error
      }
    })
}
