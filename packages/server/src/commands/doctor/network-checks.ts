/** Checks of what the server reaches and offers: mail server, bucket, port. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { codeOf } from '../../db/open-data.ts'
import { objectClientOptions } from '../../domain/files/object-client.ts'
import type { Settings, StoreSettings } from '../../settings.ts'
import { type Check, failure, type Finding, networkLimit, ok, warning } from './finding.ts'
import { reportedState } from './running-server.ts'

/** Connects to the mail server, greets it and signs in; sends no letter. */
async function mailFinding({ smtpUrl, dataDir, production }: Settings): Promise<Finding> {
  if (smtpUrl === undefined) {
    const message = `Letters are written into ${dataDir}/outbox, because SMTP_URL is not set.`
    return production ? warning(message, 'Set SMTP_URL, so that people receive their letters.') : ok(message)
  }
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: networkLimit, greetingTimeout: networkLimit, socketTimeout: networkLimit }
  const transport = createTransport({ url: smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  try {
    await transport.verify()
    return ok('The mail server answers and accepts the sign-in.')
  } catch (error) {
    const reason = codeOf(error) || 'no reason given'
    return failure(`The mail server of SMTP_URL cannot be used (${reason}).`, adviceFor(reason))
  } finally {
    transport.close()
  }
}

const adviceFor = (reason: string) =>
  reason === 'EAUTH'
    ? 'Check the user and the password in SMTP_URL.'
    : 'Check the address in SMTP_URL, and that this machine may connect to it.'

/** Lists one name of the bucket, which needs the address, the key and the right to list. */
async function bucketFinding(store: StoreSettings | undefined): Promise<Finding> {
  if (!store) return ok('Uploaded files are in the data folder.')
  const sdk = await import('@aws-sdk/client-s3')
  const limits = { connectTimeout: networkLimit, idle: networkLimit, answer: networkLimit, attempts: 1 }
  const client = new sdk.S3Client(objectClientOptions(store, limits))
  try {
    await client.send(new sdk.ListObjectsV2Command({ Bucket: store.bucket, MaxKeys: 1 }))
    return ok(`The bucket ${store.bucket} can be listed.`)
  } catch (error) {
    const reason = codeOf(error) || (error instanceof Error ? error.name : 'no reason given')
    return failure(
      `The bucket ${store.bucket} at ${store.endpoint} cannot be listed (${reason}).`,
      'Check the five S3_* settings, that the bucket exists, and that the key may list it.',
    )
  } finally {
    client.destroy()
  }
}

/** Returns the code of the error when a port is opened for a moment; empty when it is free. */
async function portError(port: number, host: string): Promise<string> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ''
  } catch (error) {
    return codeOf(error) || 'unknown error'
  } finally {
    server.close()
  }
}

/** Tells whether the port is free or served by Dala. */
async function portFinding(settings: Settings): Promise<Finding> {
  const { host, port } = settings
  if (port === 0) return ok('The server takes a free port.')
  const address = `${host}:${port}`
  const code = await portError(port, host)
  if (code === '') return ok(`The port ${address} is free.`)
  if (code !== 'EADDRINUSE')
    return failure(
      `The port ${address} cannot be opened (${code}).`,
      'Set HOST to an address of this machine and PORT above 1023.',
    )
  const state = await reportedState(settings)
  return state === undefined
    ? failure(`The port ${address} is used by another program.`, 'End that program, or set PORT to a free one.')
    : ok(`The port ${address} is served by Dala, which is ${state}.`)
}

/** Returns the checks of the network of these settings. */
export function networkChecks(settings: Settings): Check[] {
  return [
    { name: 'mail', run: () => mailFinding(settings) },
    { name: 'bucket', run: () => bucketFinding(settings.store) },
    { name: 'port', run: () => portFinding(settings) },
  ]
}
