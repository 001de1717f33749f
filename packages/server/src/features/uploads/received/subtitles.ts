/**
 * Reads subtitles in the format WebVTT and writes them again: only cues with times and plain text, without
 * styles, regions, notes and unknown tags (checklist §7).
 */
import { fault } from '@dala/model'

/** Tags that remain in the text of a subtitle cue. */
const allowedCueTags = new Set(['b', 'i', 'u', 'v'])
const cueTimePattern = String.raw`(?:(\d{2,}):)?([0-5]\d):([0-5]\d)[.](\d{3})`
const cueTimingPattern = new RegExp(String.raw`^${cueTimePattern}[ \t]+-->[ \t]+${cueTimePattern}(?:[ \t].*)?$`)
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u00a0',
  '&lrm;': '\u200e',
  '&rlm;': '\u200f',
}

const escapeText = (text: string) =>
  text
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm);/g, (entity) => entities[entity] ?? entity)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

const brokenLineFault = (line: number) => fault('upload.subtitles', { params: { line } })

/** Returns the milliseconds of a subtitle's time from its four groups of digits. */
const millisecondsOf = ([hours = '0', minutes = '0', seconds = '0', thousandths = '0']: readonly (
  | string
  | undefined
)[]) => ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(thousandths)

function timeText(milliseconds: number): string {
  const digits = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0')
  const [hours, minutes] = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60]
  return `${digits(hours)}:${digits(minutes)}:${digits((milliseconds / 1_000) % 60)}.${digits(milliseconds % 1_000, 3)}`
}

/** Writes the text of a subtitle cue again: allowed tags in pairs, everything else as text. */
function cleanText(text: string): string {
  const openTags: string[] = []
  const closeTag = (tag: string) => {
    const startIndex = openTags.lastIndexOf(tag)
    return startIndex < 0
      ? ''
      : openTags
          .splice(startIndex)
          .toReversed()
          .map((tagName) => `</${tagName}>`)
          .join('')
  }
  const cleanedText = text.replace(/<([^>]*)>?|[^<]+/g, (textPiece, tagContent: string | undefined) => {
    if (tagContent === undefined) return escapeText(textPiece)
    const [, slash, name = '', annotation = ''] =
      /^(\/?)([a-z]+)(?:[.][^\s]*)?(?:\s+([\s\S]*))?$/.exec(tagContent) ?? []
    if (!allowedCueTags.has(name)) return ''
    if (slash === '/') return closeTag(name)
    openTags.push(name)
    const voice = escapeText(annotation.replace(/\s+/g, ' ').trim())
    return name === 'v' && voice !== '' ? `<v ${voice}>` : `<${name}>`
  })
  return (
    cleanedText +
    openTags
      .toReversed()
      .map((tag) => `</${tag}>`)
      .join('')
  )
}

/**
 * Reads subtitles and writes them again.
 *
 * @param bytes - The received file.
 * @returns The text of the file to store.
 * @throws 422 `upload.subtitles` with the number of the first broken line.
 */
export function cleanSubtitles(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw brokenLineFault(1)
  }
  const lines = text.replaceAll('\u0000', '\ufffd').split(/\r\n|\n|\r/)
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '')) throw brokenLineFault(1)
  const cues: string[] = []
  // The block with the first line of a subtitle file has no cue.
  let lineIndex = lines.findIndex((line) => line.trim() === '')
  for (; lineIndex >= 0 && lineIndex < lines.length; lineIndex += 1) {
    const start = lineIndex
    while (lineIndex < lines.length && lines[lineIndex]?.trim() !== '') lineIndex += 1
    const block = lines.slice(start, lineIndex)
    const [firstLine = ''] = block
    if (block.length === 0 || /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(firstLine)) continue
    // A subtitle cue may have a name before its times.
    const timesIndex = firstLine.includes('-->') ? 0 : 1
    const timingMatch = cueTimingPattern.exec(block[timesIndex]?.trim() ?? '')
    if (!timingMatch) throw brokenLineFault(start + Math.min(timesIndex, block.length - 1) + 1)
    const [startTime, endTime] = [millisecondsOf(timingMatch.slice(1, 5)), millisecondsOf(timingMatch.slice(5, 9))]
    if (endTime <= startTime) throw brokenLineFault(start + timesIndex + 1)
    const content = block.slice(timesIndex + 1)
    const secondCue = content.findIndex((line) => line.includes('-->'))
    if (secondCue >= 0) throw brokenLineFault(start + timesIndex + secondCue + 2)
    const cleanedText = cleanText(content.join('\n'))
    if (cleanedText.trim() !== '') cues.push(`${timeText(startTime)} --> ${timeText(endTime)}\n${cleanedText}`)
  }
  if (cues.length === 0) throw brokenLineFault(lines.length)
  return `WEBVTT\n\n${cues.join('\n\n')}\n`
}
