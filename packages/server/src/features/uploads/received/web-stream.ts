/** Converts bytes that arrive one after another to a stream of the web, which some libraries read. */

/**
 * Returns a web stream that asks for the next bytes when its reader has taken the ones before.
 *
 * @param source - The bytes.
 */
export function webStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const nextChunk = await chunks.next()
      if (nextChunk.done) controller.close()
      else controller.enqueue(nextChunk.value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
