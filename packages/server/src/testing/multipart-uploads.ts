/**
 * Two calls of multipart uploads that the S3-compatible server for tests lacks: the list of the parts of an
 * upload, and its end without a file.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

/** Folder of unfinished uploads in that of a bucket. */
const uploadsFolder = '._S3rver_uploads'

const xml = (text: string) => `<?xml version="1.0" encoding="UTF-8"?>${text}`

function partsIn(folder: string): string {
  const numbers = readdirSync(folder).filter((name) => /^\d+$/.test(name))
  return numbers
    .map((number) => {
      const partPath = join(folder, number)
      const tag = `<ETag>"${readFileSync(`${partPath}.md5`, 'utf8')}"</ETag>`
      return `<Part><PartNumber>${number}</PartNumber>${tag}<Size>${statSync(partPath).size}</Size></Part>`
    })
    .join('')
}

/**
 * Answers one of the two calls of multipart uploads.
 *
 * @param request - The request to the object store.
 * @param response - Its response.
 * @param bucket - The folder of the bucket.
 * @returns False for any other call, which is not answered.
 */
export function answerMultipart(request: IncomingMessage, response: ServerResponse, bucket: string): boolean {
  const id = new URL(request.url ?? '', 'http://store').searchParams.get('uploadId')
  if (id === null || (request.method !== 'GET' && request.method !== 'DELETE')) return false
  const folder = join(bucket, uploadsFolder, id)
  response.setHeader('content-type', 'application/xml')
  if (!/^\w+$/.test(id) || !existsSync(folder)) {
    response.statusCode = 404
    response.end(xml('<Error><Code>NoSuchUpload</Code><Message>There is no such upload.</Message></Error>'))
  } else if (request.method === 'GET') {
    response.end(xml(`<ListPartsResult><IsTruncated>false</IsTruncated>${partsIn(folder)}</ListPartsResult>`))
  } else {
    rmSync(folder, { recursive: true })
    response.writeHead(204).end()
  }
  return true
}
