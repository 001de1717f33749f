/** What a message may be (content-model §2, chat §4). */
import { fault, type Issue, isStorable, maxInteger } from '@dala/model'
import type { ActionBody } from '../../resources/action-body.ts'
import { isObject } from '../../resources/read/parse-filters.ts'

export const maxText = 4_000
const maxAttachments = 10
const maxClientId = 255

/** A picture of a message, by the name of its file or the id of its record; the record has its size and sides. */
export interface WantedAttachment {
  file: { id: number } | { name: string }
  name: string | undefined
}

export interface MessageBody {
  room: number
  /** Absent: the caller. */
  sender: number | undefined
  kind: 'message' | 'note'
  text: string | null
  clientId: string | null
  replyTo: number | null
  attachments: WantedAttachment[]
}

/** The name of an uploaded file, by either of its paths (contract §10). */
const filePath = /^(?:\/uploads)?\/([\w-]{1,200}\.[a-z0-9]{2,5})$/

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

function readAttachments(body: ActionBody): WantedAttachment[] {
  const value = body.raw('attachments')
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    body.wrong('attachments', 'validation.json')
    return []
  }
  if (value.length > maxAttachments) body.wrong('attachments', 'validation.maxItems', { max: maxAttachments })
  return value.slice(0, maxAttachments).flatMap((item: unknown): WantedAttachment[] => {
    const { id, url, name } = isObject(item) ? item : { id: item }
    const [, file] = typeof url === 'string' ? (filePath.exec(url) ?? []) : []
    const isName = typeof name === 'string' && isStorable(name) && name.trim() !== ''
    const label = isName ? [...name].slice(0, 255).join('') : undefined
    if (file !== undefined) return [{ file: { name: file }, name: label }]
    if (url === undefined && isId(id)) return [{ file: { id }, name: label }]
    body.wrong('attachments', 'validation.relation')
    return []
  })
}

function readKind(body: ActionBody): 'message' | 'note' {
  const kind = body.raw('kind') ?? 'message'
  if (kind === 'message' || kind === 'note') return kind
  body.wrong('kind', 'validation.choice', { values: 'message, note' })
  return 'message'
}

/** Throws 422 for a message with nothing in it. */
export function assertSaysSomething(text: string | null, attachments: number): void {
  if (text !== null || attachments > 0) return
  const issue: Issue = { path: ['text'], code: 'chat.text-missing', params: { field: 'text' } }
  throw fault('chat.text-missing', { params: { field: 'text' }, issues: [issue] })
}

/** Reads a message. Throws 422 with everything that is wrong. */
export function readMessage(body: ActionBody): MessageBody {
  const message = {
    room: body.requiredId('room'),
    sender: body.id('sender') ?? undefined,
    kind: readKind(body),
    text: body.text('text', maxText),
    clientId: body.text('client_id', maxClientId),
    replyTo: body.id('reply_to') ?? null,
    attachments: readAttachments(body),
  }
  body.check()
  return message
}
