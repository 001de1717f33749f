/** Sends hostile uploads unchanged, byte by byte, over loopback, and reports the outcome of each. */
import { createConnection } from 'node:net'
import type { HostileFile } from './hostile-files.ts'
import type { RunningServer } from '../lib/server-process.ts'

const boundary = 'dala-hostile'
const answerLimit = 30_000

/** Status of the answer to an upload; 0 when the server cut the connection without an answer. */
export interface ServerRefusal {
  status: number
  text: string
}

function bodyOf({ name, type, bytes, raw }: HostileFile): { type: string; body: Buffer } {
  if (raw === true) return { type, body: bytes }
  const dispositionHeader = `content-disposition: form-data; name="files"; filename="${name.replaceAll('"', '%22')}"`
  const partHead = `--${boundary}\r\n${dispositionHeader}\r\ncontent-type: ${type}\r\n\r\n`
  const body = Buffer.concat([Buffer.from(partHead), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}

/** Sends one hostile file over a connection of its own, which allows false lengths. */
export async function sendFile({ port }: RunningServer, token: string, file: HostileFile): Promise<ServerRefusal> {
  const { type, body } = bodyOf(file)
  return await new Promise((resolve) => {
    const parts: Buffer[] = []
    const socket = createConnection({ host: '127.0.0.1', port })
    const length = file.claimedSize ?? body.length
    const end = () => {
      socket.destroy()
      const text = Buffer.concat(parts).toString('latin1')
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    }
    socket.setTimeout(answerLimit, end)
    socket.on('data', (receivedBytes: Buffer) => parts.push(receivedBytes))
    socket.once('error', end)
    socket.once('close', end)
    socket.write(
      `POST /api/upload?name=${encodeURIComponent(file.name.slice(0, 200))} HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
        `authorization: Bearer ${token}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`,
    )
    // A sender whose body is shorter than claimed disconnects in the middle.
    if (length > body.length) socket.end(body)
    else socket.write(body)
  })
}

/** Sends one file as a document, by a resumable upload of one piece. */
export async function sendDocument({ url }: RunningServer, token: string, file: HostileFile): Promise<ServerRefusal> {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const encodeText = (text: string) => Buffer.from(text).toString('base64')
  const begunUpload = await fetch(`${url}/api/upload/resumable`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(file.bytes.length),
      'upload-metadata': `filename ${encodeText(file.name)},purpose ${encodeText('document')}`,
    },
  })
  const address = begunUpload.headers.get('location')
  if (address === null) return { status: begunUpload.status, text: await begunUpload.text() }
  const patchAnswer = await fetch(new URL(address, url), {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(file.bytes),
  })
  return { status: patchAnswer.status, text: await patchAnswer.text() }
}

export interface StreamOutcome {
  status: number
  /** Number of bytes of the upload sent before the connection ended. */
  sent: number
  /** Whether the server cut the connection before all bytes of the upload were sent. */
  isCut: boolean
  milliseconds: number
}

/** Encodes one chunk of a body without a content length. */
function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

const uploadPiece = chunkOf(Buffer.alloc(262_144, 'dala'))

/**
 * Sends this many bytes without a content length and continues after the refusal until the server cuts the
 * connection.
 */
export async function sendStream(
  { port }: RunningServer,
  token: string,
  bytes: number,
  sendsForm: boolean,
): Promise<StreamOutcome> {
  const startMoment = performance.now()
  const type = sendsForm ? `multipart/form-data; boundary=${boundary}` : 'image/png'
  const formHead = `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a.png"\r\n\r\n`
  const firstBytes = Buffer.from(`${sendsForm ? formHead : ''}\x89PNG\r\n\x1a\n`, 'latin1')
  return await new Promise((resolve) => {
    let [text, sentBytes] = ['', 0]
    // A bare socket is used, because Node's own client would end a connection after its answer.
    const socket = createConnection({ host: '127.0.0.1', port, allowHalfOpen: true })
    const limit = setTimeout(() => socket.destroy(), answerLimit)
    socket.on('data', (answer: Buffer) => {
      text += answer.toString('latin1')
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(limit)
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      resolve({ status, sent: sentBytes, isCut: sentBytes < bytes, milliseconds: performance.now() - startMoment })
    })
    socket.write(
      `POST /api/upload HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`,
    )
    socket.write(chunkOf(firstBytes))
    const sendPieces = () => {
      while (!socket.destroyed && sentBytes < bytes) {
        sentBytes += uploadPiece.length
        if (!socket.write(uploadPiece)) {
          socket.once('drain', sendPieces)
          return
        }
      }
      if (!socket.destroyed) socket.end('0\r\n\r\n')
    }
    sendPieces()
  })
}
