/** Videos for tests: one of any size for uploads, and one that plays. */
import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

/**
 * An mp4 of two seconds and 320 × 180 pixels without a picture: its structure is right, nothing can be seen.
 */
const videoBytes = [
  'AAAAHGZ0eXBpc29tAAACAGlzb21hdmMxbXA0MQAAApFtb292AAAAbG12aGQAAAAA5zAhlecwIZUAAOEAAAHCAAABAAABAAAAAAAA',
  'AAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAACHXRy',
  'YWsAAABcdGtoZAAAAAPnMCGV5zAhlQAAAAEAAAAAAAHCAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAA',
  'AAAAAAAAAEAAAAABQAAAALQAAAAAAbltZGlhAAAAIG1kaGQAAAAA5zAhlecwIZUAAAABAAAAAlXEAAAAAAA3aGRscgAAAABtaGxy',
  'dmlkZQAAAAAAAAAAAAAAAE1lZGlhYnVubnlWaWRlb0hhbmRsZXIAAAABWm1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5m',
  'AAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAARpzdGJsAAAAqnN0c2QAAAAAAAAAAQAAAJphdmMxAAAAAAAAAAEAAAAAAAAA',
  'AAAAAAAAAAAAAUAAtABIAAAASAAAAAAAAAABEk1lZGlhYnVubnkgdjEuNjEuMAAAAAAAAAAAAAAAAAAAGP//AAAAMGF2Y0MBQsAN',
  '/+EAGGdCwA3ZAUH7ARAAAAMAEAAAAwHo8UKkgAEABWjLg8sgAAAAFGJ0cnQAAAAAAAAB4AAAAeAAAAAYc3R0cwAAAAAAAAABAAAA',
  'AgAAAAEAAAAcc3RzYwAAAAAAAAABAAAAAQAAAAEAAAABAAAAHHN0c3oAAAAAAAAAAAAAAAIAAAA8AAAAPAAAABhzdGNvAAAAAAAA',
  'AAIAAAK1AAAC8QAAAIBtZGF0AAAAOAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',
  'AQEBAAAAOAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC',
].join('')

/**
 * Writes a video: the film, followed by a box of free space.
 *
 * @param path - The path of the file. A browser knows a file again by its name, size and date.
 * @param megabytes - The size of the free space.
 */
export function writeVideo(path: string, megabytes: number): void {
  const freeBox = randomFillSync(Buffer.alloc(megabytes * 1_048_576))
  freeBox.writeUInt32BE(freeBox.length)
  freeBox.write('free', 4, 'latin1')
  writeFileSync(path, Buffer.concat([Buffer.from(videoBytes, 'base64'), freeBox]))
}

/** A WebM of eight seconds and 32 × 18 green pixels, which every browser can play. */
export const playableVideo: Buffer = Buffer.from(
  [
    'GkXfoxAAAB9ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwQAAAAC2RFNm3QQAAA/TbsQAAAPU6uEFUmpZlOshQAA',
    'AABHTbsQAAAPU6uEFlSua1OshQAAAACLTbsQAAAPU6uEHFO7a1OshQAAAAK+FUmpZhAAADwq17GDD0JATYCSTWVkaWFidW5ueSB2',
    'MS42MS4wV0GSTWVkaWFidW5ueSB2MS42MS4wRImIQL9AAAAAAAAWVK5rEAAASa4QAABE14EBc8WBAYOBAZyBACK1nIN1bmSGhVZf',
    'VlA4I+ODhB3NZQDgEAAAHLCBILqBElWwEAAAEFWxgQFVuoENVbuBAVW5gQIfQ7Z1CAAAAdnngQCjEAAANoEAAIBwAgCdASogABIA',
    'AkcIhYWImYSIDIIB2AQWVnb64P7o1x//2LOWwLx//oUbKJfx9ARKgKMQAAAlgQH0APEBAAkQgAAYCdPLINuUcBNKQP7lCv9amRj6',
    'MXzfY9mOAKMQAAAVgQPoALEBAAkQbAAYABhYL/QACHAAoxAAABWBBdwAsQEACRBUABgAGFgv9AAIcACjEAAAFYEH0ACxAQAJEEAA',
    'GAAYWC/0AAhwAKMQAAAVgQnEALEBAAkQMAAYABhYL/QACHAAoxAAABWBC7gAsQEACRAkABgAGFgv9AAIcACjEAAAFYENrACxAQAJ',
    'EIAUYABhYL/QACHAAKMQAAAVgQ+gALEBAAkQGAAYABhYL/QACHAAoxAAABWBEZQAsQEACRAQABgAGFgv9AAIcACjEAAAFoETiADR',
    'AQAJEA0QAMAAwsF/oABDgACjEAAAFoEVfADRAQAJEAkgAMAAwsF/oABDgACjEAAAFoEXcADRAQAJEAkgAMAAwsF/oABDgACjEAAA',
    'FoEZZADRAQAJEAkgAMAAwsF/oABDgACjEAAAFYEbWACxAQAJEFAUYABhYL/QACHAAKMQAAAWgR1MANEBAAkQCSAAwADCwX+gAEOA',
    'ABxTu2sQAAATuxAAAA6zgQC3EAAABveBAfGB3A==',
  ].join(''),
  'base64',
)
/** Records a short WebM with a visible picture in the browser, whose frames can be taken. */
export async function recordVideo(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 180
    const pen = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const recordingEnd = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.start()
    for (let frame = 0; frame < 20; frame += 1) {
      if (pen) pen.fillStyle = `rgb(${frame * 10} 120 60)`
      pen?.fillRect(0, 0, 320, 180)
      await new Promise(requestAnimationFrame)
    }
    recorder.stop()
    await recordingEnd
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  return Buffer.from(bytes)
}
