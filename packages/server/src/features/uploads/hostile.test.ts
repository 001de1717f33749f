import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawImage, drawFilm, drawNoise, openUploadApp, type Part, type UploadApp } from '../../testing/upload-app.ts'
import { imageLimits } from './limits.ts'
import { processImage } from './process-image.ts'

let uploadApp: UploadApp
beforeAll(async () => {
  uploadApp = await openUploadApp()
})
afterAll(() => uploadApp.app.close())

const text = (content: string) => () => Promise.resolve(Buffer.from(content, 'latin1'))
const png = () => drawImage(40, 30).png().toBuffer()
const jpeg = () => drawImage(400, 300).jpeg().toBuffer()
const appendTail = (image: () => Promise<Buffer>, tail: string | Buffer) => async () =>
  Buffer.concat([await image(), typeof tail === 'string' ? Buffer.from(tail, 'latin1') : tail])

/** Builds a ZIP archive without entries, only an end record with a comment. */
const archive = (comment = '') => {
  const record = Buffer.alloc(22)
  record.write('PK\x05\x06', 'latin1')
  record.writeUInt16LE(comment.length, 20)
  return Buffer.concat([Buffer.from('PK\x03\x04 something that was packed'), record, Buffer.from(comment)])
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

const crc = (bytes: Buffer) => {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bitIndex = 0; bitIndex < 8; bitIndex += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}
/** Builds a picture that claims a size and has hardly any content. */
const makeBomb = (width: number, height: number) => () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(1_000_000))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Promise.resolve(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]),
  )
}

type MakeImage = () => Promise<Buffer>

describe('hostile uploads', () => {
  test.each<[what: string, make: MakeImage, name: string, code: string]>([
    ['SVG', text(svg), 'a.svg', 'upload.type'],
    ['SVG named PNG', text(svg), 'a.png', 'upload.type'],
    ['HTML named PNG', text('<!doctype html><script>alert(1)</script>'), 'a.png', 'upload.type'],
    [
      'XML',
      text('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
      'a.png',
      'upload.type',
    ],
    ['PDF', text('%PDF-1.7\n%âãÏÓ\n1 0 obj'), 'a.png', 'upload.type'],
    ['an archive', () => Promise.resolve(archive()), 'a.png', 'upload.type'],
    ['a script', text('alert(1)//'), 'a.js', 'upload.type'],
    ['TIFF', () => drawImage(10, 10).tiff().toBuffer(), 'a.png', 'upload.type'],
    ['AVIF', () => drawImage(10, 10).avif().toBuffer(), 'a.png', 'upload.type'],
    ['a picture with an archive behind it', appendTail(png, archive()), 'a.png', 'upload.type'],
    ['a picture with an archive and a comment behind it', appendTail(png, archive('=1;')), 'a.png', 'upload.type'],
    ['a picture with a page behind it', appendTail(png, '<html ><script >alert(1)</script>'), 'a.png', 'upload.type'],
    ['a GIF that is a script', text('GIF89a/*\x00\x00\x00*/=1;alert(1)//'), 'a.gif', 'upload.broken'],
    [
      'a GIF with a script tag behind it',
      appendTail(() => drawImage(9, 9).gif().toBuffer(), '<script>alert(1)</script>'),
      'a.gif',
      'upload.type',
    ],
    [
      'a JPEG with PHP in its comment',
      async () => {
        const [image, code] = [await jpeg(), Buffer.from('<?php system($_GET["c"]); ?>')]
        const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, code.length + 2]), code])
        return Buffer.concat([image.subarray(0, 2), comment, image.subarray(2)])
      },
      'a.jpg',
      'upload.type',
    ],
    [
      'a picture with a PDF at its head',
      async () => {
        const [image, mark] = [await jpeg(), Buffer.from('%PDF-1.4 and so on')]
        const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, mark.length + 2]), mark])
        return Buffer.concat([image.subarray(0, 2), comment, image.subarray(2)])
      },
      'a.jpg',
      'upload.type',
    ],
    ['the first bytes of a picture', async () => (await png()).subarray(0, 20), 'a.png', 'upload.broken'],
    ['a signature and rubbish', text(`\xff\xd8\xff${'x'.repeat(500)}`), 'a.jpg', 'upload.broken'],
    ['half a JPEG', async () => (await jpeg()).subarray(0, 1_000), 'a.jpg', 'upload.broken'],
    [
      'half a PNG',
      async () => (await drawImage(900, 900).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 90_000),
      'a.png',
      'upload.broken',
    ],
    [
      'half a WebP',
      async () => (await drawNoise(200).webp({ lossless: true }).toBuffer()).subarray(0, 9_000),
      'a.webp',
      'upload.broken',
    ],
    ['60 megapixels in a small file', makeBomb(8_000, 7_500), 'a.png', 'upload.dimensions'],
    ['ten gigapixels', makeBomb(100_000, 100_000), 'a.png', 'upload.dimensions'],
    ['13,000 pixels a side', () => drawImage(13_000, 10).png().toBuffer(), 'a.png', 'upload.dimensions'],
    ['13,000 pixels high', () => drawImage(10, 13_000).jpeg().toBuffer(), 'a.jpg', 'upload.dimensions'],
    ['201 frames', () => drawFilm(201).gif({ keepDuplicateFrames: true }).toBuffer(), 'a.gif', 'upload.dimensions'],
    ['201 frames of WebP', () => drawFilm(201).webp().toBuffer(), 'a.webp', 'upload.dimensions'],
    ['an empty file', text(''), 'a.png', 'upload.empty'],
  ])('refuses to store the hostile file %s', async (_what, make, name, code) => {
    const filesBefore = uploadApp.stored()
    const { status, body } = await uploadApp.sendParts([{ bytes: await make(), name }])
    expect(body).toMatchObject({ data: null, error: { status: 400, name: 'ValidationError', code } })
    expect([status, uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([400, filesBefore, []])
  })

  test.each<[what: string, make: () => Promise<Part[]>, status: number, message: string]>([
    ['a form without files', () => Promise.resolve([]), 400, 'Files are empty'],
    ['a part of another name', async () => [{ field: 'file', bytes: await png() }], 400, 'Files are empty'],
    [
      'eleven files',
      () => Promise.all(Array.from({ length: 11 }, async () => ({ bytes: await png() }))),
      400,
      'At most 10 files at once',
    ],
    [
      '11 MB',
      async () => [{ bytes: await appendTail(png, Buffer.alloc(11 * 1_048_576))() }],
      413,
      'The file is too large: the limit is 10 MB',
    ],
    [
      '11 MB in a part nobody asked for',
      async () => [{ field: 'other', bytes: await appendTail(png, Buffer.alloc(11 * 1_048_576))() }],
      413,
      'The file is too large: the limit is 10 MB',
    ],
    [
      'a good file beside a bad one',
      async () => [{ bytes: await png() }, { bytes: Buffer.from(svg) }],
      400,
      'Only JPEG, PNG, WebP and GIF images are accepted',
    ],
  ])('refuses to store files from %s', async (_what, make, status, message) => {
    const filesBefore = uploadApp.stored()
    const answer = await uploadApp.sendParts(await make())
    expect(answer).toMatchObject({ status, body: { data: null, error: { status, message, details: {} } } })
    expect([uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([filesBefore, []])
  })

  test.each<[what: string, type: string, payload: string | Buffer, status: number]>([
    ['a form without a boundary', 'multipart/form-data', 'x', 400],
    [
      'a form that breaks off',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="files"; filename="a.png"\r\n\r\n\x89PNG\r\n\x1a\n and then',
      400,
    ],
    ['a broken form', 'multipart/form-data; boundary=b', 'rubbish', 400],
    ['an empty form', 'multipart/form-data; boundary=b', '', 400],
    ['an empty picture', 'image/png', '', 400],
    ['SVG as the body', 'image/svg+xml', svg, 400],
    [
      '11 MB as the body',
      'image/png',
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(11 * 1_048_576)]),
      413,
    ],
    ['JSON', 'application/json', '{}', 400],
    ['XML as the body', 'text/xml', '<a/>', 415],
    ['bytes of no type', 'application/octet-stream', 'x', 415],
  ])('refuses to store files from %s', async (_what, type, payload, status) => {
    const filesBefore = uploadApp.stored()
    const headers = { ...uploadApp.headersOf('admin'), 'content-type': type }
    const answer = await uploadApp.app.inject({ method: 'POST', url: '/api/upload', headers, payload })
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { data: null, error: { status } }])
    expect([uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([filesBefore, []])
  })

  test.each<[what: string, fileInfo: string, path: string]>([
    ['invalid JSON', '{', 'fileInfo'],
    ['JSON that is no object', '7', 'fileInfo'],
    ['a forbidden key', '{"__proto__":{"x":1}}', 'fileInfo'],
    ['a name that is no text', '{"name":7}', 'name'],
    ['a text that is too long', JSON.stringify({ alternativeText: 'a'.repeat(256) }), 'alternativeText'],
    ['an unknown language', '{"alt":{"de":"x"}}', 'alt'],
  ])('refuses to store a picture with %s', async (_what, fileInfo, path) => {
    const filesBefore = uploadApp.stored()
    const { status, body } = await uploadApp.sendParts([{ bytes: await png() }], { texts: { fileInfo } })
    expect([status, body]).toMatchObject([400, { error: { name: 'ValidationError' } }])
    expect(
      (body as { error: { details: { errors: { path: string[] }[] } } }).error.details.errors.map(
        (issue) => issue.path[0],
      ),
    ).toContain(path)
    expect([uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([filesBefore, []])
  })

  test('refuses hostile uploads on routes that accept neither forms nor pictures', async () => {
    for (const type of ['multipart/form-data; boundary=b', 'image/png']) {
      const answer = await uploadApp.app.inject({
        method: 'POST',
        url: '/api/auth/local',
        headers: { 'content-type': type },
        payload: 'x',
      })
      expect(answer.statusCode).toBe(415)
    }
  })
})

test('aborts the decoding of a picture when it takes too long', async () => {
  const folder = mkdtempSync(join(uploadApp.dataDir, 'slow-'))
  const file = join(folder, 'noise.webp')
  writeFileSync(
    file,
    await drawNoise(800).resize(3_100, 3_100, { kernel: 'nearest' }).webp({ quality: 50, effort: 0 }).toBuffer(),
  )
  await expect(processImage(file, 'webp', folder, { ...imageLimits, seconds: 1 })).rejects.toMatchObject({
    code: 'upload.too-slow',
    status: 400,
  })
})
