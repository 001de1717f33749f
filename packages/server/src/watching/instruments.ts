/** Makes the instruments of OpenTelemetry from the declarations of metrics. */
import type { Attributes, Meter, ObservableResult } from '@opentelemetry/api'
import { type MetricDeclaration, type MetricName, metrics } from './metrics.ts'

/** Reads a value at a scrape. An error leaves the metric out of the answer. */
type Read = (result: ObservableResult) => void | Promise<void>

export class Instruments {
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Makes a counter, and returns the function that adds to it. */
  counter(name: MetricName): (amount: number, labels: Attributes) => void {
    const counter = this.#meter.createCounter(name, optionsOf(name))
    return (amount, labels) => counter.add(amount, labels)
  }

  /** Makes a gauge that rises and falls by steps. */
  level(name: MetricName): (change: number, labels: Attributes) => void {
    const level = this.#meter.createUpDownCounter(name, optionsOf(name))
    return (change, labels) => level.add(change, labels)
  }

  /** Makes a histogram, and returns the function that records a value. */
  histogram(name: MetricName): (value: number, labels: Attributes) => void {
    const { buckets = [] }: MetricDeclaration = metrics[name]
    const histogram = this.#meter.createHistogram(name, {
      ...optionsOf(name),
      advice: { explicitBucketBoundaries: [...buckets] },
    })
    return (value, labels) => histogram.record(value, labels)
  }

  /** Reads a gauge, or a counter that another part of the system counts, at every scrape. */
  read(name: MetricName, readValue: Read): void {
    const instrument =
      metrics[name].kind === 'counter'
        ? this.#meter.createObservableCounter(name, optionsOf(name))
        : this.#meter.createObservableGauge(name, optionsOf(name))
    instrument.addCallback(readValue)
  }
}

const optionsOf = (name: MetricName) => ({ description: metrics[name].help, unit: metrics[name].unit })
