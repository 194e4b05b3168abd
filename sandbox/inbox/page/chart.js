import { figure } from './figures.js';
import { CandlestickSeries, createChart, HistogramSeries } from './lightweight-charts.js';

const container = document.querySelector('#chart');
const style = getComputedStyle(document.documentElement);
const color = (name) => style.getPropertyValue(name).trim();

/** Candles and volume of one token; `set` replaces all bars, `update` changes the last or adds one. */
export class Chart {
  #chart = createChart(container, {
    autoSize: true,
    layout: { attributionLogo: false, background: { color: 'transparent' } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.24 } },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false },
    handleScroll: { vertTouchDrag: false },
  });
  #candles = this.#chart.addSeries(CandlestickSeries, { borderVisible: false });
  #volume = this.#chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  #newestMs = 0;

  constructor() {
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.#paint();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
  }

  set(candles) {
    const move = leastMove(candles);
    this.#candles.applyOptions({
      priceFormat: { type: 'custom', formatter: (price) => label(price, move), minMove: move },
    });
    this.#candles.setData(candles.map(bar));
    this.#volume.setData(candles.map(volume));
    this.#newestMs = Date.parse(candles.at(-1)?.openTime ?? 0);
    this.#chart.timeScale().scrollToRealTime();
  }

  /** The bar being built, a new one, or an earlier one that has closed or changed. */
  update(candle) {
    const isEarlier = Date.parse(candle.openTime) < this.#newestMs;
    this.#candles.update(bar(candle), isEarlier);
    this.#volume.update(volume(candle), isEarlier);
    this.#newestMs = Math.max(this.#newestMs, Date.parse(candle.openTime));
  }

  #paint() {
    const [text, line, up, down] = ['--muted', '--line', '--good', '--bad'].map(color);
    this.#chart.applyOptions({
      layout: { textColor: text },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
    });
    this.#candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    this.#volume.applyOptions({ color: line });
  }
}

function bar({ openTime, open, high, low, close }) {
  const [first, highest, lowest, last] = [open, high, low, close].map(Number);
  return { time: Date.parse(openTime) / 1_000, open: first, high: highest, low: lowest, close: last };
}

function volume({ openTime, volumeInSol }) {
  return { time: Date.parse(openTime) / 1_000, value: Number(volumeInSol) };
}

/** Prices of new tokens have seven zeros after the point: the scale needs steps that are as small. */
function leastMove(candles) {
  const price = Number(candles.at(-1)?.close ?? 1);
  return price > 0 ? 10 ** (Math.floor(Math.log10(price)) - 4) : 1e-12;
}

/** A price of the scale: nothing below zero, where no price is, and no remainders of rounding. */
function label(price, move) {
  if (price <= -move) return '';
  return price < move ? '0' : figure(price);
}
