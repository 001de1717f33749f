/** How generic writes take files along (contract §4, multipart); the upload feature provides it, app.ts passes it down. */
import type { Resource } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import type { Author } from '../history/history.ts'
import type { Answered } from './idempotency.ts'

type Draft = Record<string, unknown>

/**
 * Reads a multipart write, stores its files and hands the finished draft to `write`.
 *
 * In: the request (unread), who writes, the resource, and the write itself. The draft is the part `data` with the ids
 * of the files of `files.<field>` in place of what `data` says of that field; for a list they follow the ids that are
 * there. Its digest is equal for equal data and files. Files for anything but a picture field are ignored, like
 * unknown attributes. Out: what `write` answers. When it throws, or gives an earlier answer again, the stored files
 * and their records are gone again.
 */
export type ReceiveFiles = (
  request: FastifyRequest,
  author: Author,
  resource: Resource,
  write: (draft: Draft, digest: string) => Promise<Answered<unknown>>,
) => Promise<unknown>
