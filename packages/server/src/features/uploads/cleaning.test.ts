import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawImage, drawFilm, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

let uploadApp: UploadApp
beforeAll(async () => {
  uploadApp = await openUploadApp()
})
afterAll(() => uploadApp.app.close())

const png = () => drawImage(40, 30).png().toBuffer()

describe('an uploaded picture', () => {
  test('removes the data that phones append to a picture', async () => {
    const secret = 'MotionPhoto ftypmp42 whatever follows'
    const [record] = (
      await uploadApp.sendParts([
        { bytes: Buffer.concat([await drawImage(400, 300).jpeg().toBuffer(), Buffer.from(secret)]), name: 'a.jpg' },
      ])
    ).records
    for (const url of [record?.url, record?.formats?.thumbnail?.url]) {
      const { statusCode, rawPayload } = await uploadApp.app.inject({ url: url ?? '' })
      expect([statusCode, rawPayload.includes('ftyp'), rawPayload.includes('whatever')]).toEqual([200, false, false])
    }
  })

  test.each(['jpeg', 'png', 'webp'] as const)(
    'removes location, texts and profile from a %s picture, and turns the picture upright first',
    async (format) => {
      const bytes = await drawImage(400, 200)
        .withMetadata({ orientation: 6 })
        .withIccProfile('p3')
        .withExif({
          IFD0: { Copyright: 'Somebody Known', Orientation: '6' },
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '41/1 18/1 0/1' },
        })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
        .toFormat(format)
        .toBuffer()
      expect(await sharp(bytes).metadata()).toMatchObject({ orientation: 6, exif: expect.anything() as unknown })
      const [record] = (await uploadApp.sendParts([{ bytes }])).records
      expect(record).toMatchObject({ width: 200, height: 400, formats: { thumbnail: { width: 78, height: 156 } } })
      for (const url of [record?.url, record?.formats?.thumbnail?.url]) {
        const { rawPayload } = await uploadApp.app.inject({ url: url ?? '' })
        const foundMetadata = await sharp(rawPayload).metadata()
        expect(foundMetadata).not.toHaveProperty('exif')
        expect(foundMetadata).not.toHaveProperty('xmp')
        expect(foundMetadata).not.toHaveProperty('icc')
        expect(foundMetadata).not.toHaveProperty('orientation')
        expect(rawPayload.includes('Somebody')).toBe(false)
        // The red corner of the picture was at the top left; after the turn it is at the top right.
        const { data, info } = await sharp(rawPayload).removeAlpha().raw().toBuffer({ resolveWithObject: true })
        const readRed = (x: number, y: number) =>
          data[(Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3] ?? 0
        expect([readRed(0.75, 0.25) > 150, readRed(0.25, 0.25) < 100]).toEqual([true, true])
      }
    },
  )

  test('removes comments from GIF and PNG pictures', async () => {
    const gif = await drawFilm(3).gif({ keepDuplicateFrames: true }).toBuffer()
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 12]), Buffer.from('a comment 12'), Buffer.from([0])])
    const trailer = gif.subarray(-1)
    const [record] = (await uploadApp.sendParts([{ bytes: Buffer.concat([gif.subarray(0, -1), comment, trailer]) }]))
      .records
    expect((await uploadApp.app.inject({ url: record?.url ?? '' })).rawPayload.includes('a comment')).toBe(false)
  })
})

describe('the label of a file', () => {
  test.each<[name: string, label: string]>([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['/etc/passwd', 'passwd'],
    ['..', 'image'],
    ['a/..', 'image'],
    ['Дала ўсимлиги №1.png', 'Дала ўсимлиги №1.png'],
    ['oʻzbek ǵárezsiz.png', 'oʻzbek ǵárezsiz.png'],
    ['line\r\nset-cookie: a=b.png', 'lineset-cookie: a=b.png'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    [`${'я'.repeat(300)}.png`, `${'я'.repeat(251)}.png`],
    ['🌾.png', '🌾.png'],
  ])('turns the file name %j into the label %j, in the query and in fileInfo', async (name, label) => {
    const headers = { ...uploadApp.headersOf('admin'), 'content-type': 'image/png' }
    const payload = await png()
    const { records } = await uploadApp.sendParts([{ bytes: payload }], {
      texts: { fileInfo: JSON.stringify({ name }) },
    })
    expect(records[0]?.name).toBe(label)
    const url = `/api/upload?name=${encodeURIComponent(name)}`
    const rawAnswer = await uploadApp.app.inject({ method: 'POST', url, headers, payload })
    expect([rawAnswer.statusCode, rawAnswer.json()]).toMatchObject([
      200,
      [{ name: label, url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\.png$/) as string }],
    ])
  })

  test.each([['   '], ['']])('keeps the label of a file when the new name is %j', async (name) => {
    const texts = { fileInfo: JSON.stringify({ name }) }
    expect((await uploadApp.sendParts([{ bytes: await png() }], { texts })).records[0]?.name).toBe('field.png')
  })

  test('stores no path and no null byte of a part’s name in the label of a file', async () => {
    const payload = await png()
    for (const [name, label] of [
      ['../../../evil.png', 'evil.png'],
      ['C:\\fakepath\\поле.png', 'поле.png'],
      ['nul\0l.png', 'null.png'],
    ] as const) {
      const filesBefore = uploadApp.stored()
      const { status, records } = await uploadApp.sendParts([{ bytes: payload, name }])
      expect([status, records[0]?.name]).toEqual([200, label])
      expect(uploadApp.stored().length).toBe(filesBefore.length + 1)
    }
  })
})
