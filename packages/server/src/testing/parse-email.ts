/** Parses an email as a mail program does: recipient, subject, and its two bodies. */

export interface ReadLetter {
  from: string
  to: string
  subject: string
  text: string
  html: string
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  const octets = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return encoding === 'quoted-printable' ? Buffer.from(octets, 'latin1').toString() : body
}

const headerOf = (head: string, name: string) =>
  (new RegExp(`^${name}: *(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? '').replace(/\r?\n[ \t]+/g, ' ')

/** Decodes `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`, without the space between two of them. */
function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_whole, kind: string, body: string) =>
      decodeBody(body.replaceAll('_', ' '), /b/i.test(kind) ? 'base64' : 'quoted-printable'),
    )
}

/** Parses the message of an email as it was sent. */
export function parseEmail(message: string): ReadLetter {
  const [head = '', ...bodyParts] = message.split(/\r?\n\r?\n/)
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ''
  const parts = bodyParts.join('\r\n\r\n').split(`--${boundary}`)
  const readPart = (type: string) => {
    const foundPart = parts.find((mailPart) => headerOf(mailPart, 'Content-Type').startsWith(type)) ?? ''
    const [partHead = '', ...body] = foundPart.split(/\r?\n\r?\n/)
    return decodeBody(body.join('\r\n\r\n'), headerOf(partHead, 'Content-Transfer-Encoding'))
  }
  return {
    from: decodeWords(headerOf(head, 'From')),
    to: headerOf(head, 'To').replace(/[<>]/g, ''),
    subject: decodeWords(headerOf(head, 'Subject')),
    text: readPart('text/plain'),
    html: readPart('text/html'),
  }
}

/** Returns the code of the link in an email. */
export const codeInEmail = ({ text }: ReadLetter): string =>
  /(?:reset-password|confirm-email)\?code=([\w-]+)/.exec(text)?.[1] ?? ''
