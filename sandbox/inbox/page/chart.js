import { figure } from './figures.js';
import { CandlestickSeries, createChart, HistogramSeries, LineStyle } from './lightweight-charts.js';

const container = document.querySelector('#chart');
/** Bars get no narrower than this. Older ones that do not fit are reached by scrolling. */
const BAR_PX = 6;

/** The value of a colour that depends on the theme, which the canvas does not understand. */
function color(name) {
  container.style.color = `var(${name})`;
  const value = getComputedStyle(container).color;
  container.style.color = '';
  return value;
}

/** Candles and volume of one token; `set` replaces all bars, `update` changes the last or adds one. */
export class Chart {
  #chart = createChart(container, {
    autoSize: true,
    layout: { attributionLogo: false, background: { color: 'transparent' } },
    rightPriceScale: {
      borderVisible: false,
      scaleMargins: { top: 0.08, bottom: 0.24 },
      ensureEdgeTickMarksVisible: true,
    },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
    },
    handleScroll: { vertTouchDrag: false },
  });
  /** `price` draws the line: a trade moves the price of its pool beyond its own price. */
  #candles = this.#chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    lastValueVisible: false,
    priceLineVisible: false,
  });
  #priceLine = null;
  #volume = this.#chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  #newestMs = 0;
  #bars = 0;
  /** Whether the reader has moved the chart. Their view then stays. */
  #isMoved = false;

  constructor() {
    for (const moving of ['pointerdown', 'wheel'])
      container.addEventListener(moving, () => {
        this.#isMoved = true;
      });
    this.#chart.timeScale().subscribeSizeChange(() => this.#fit());
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
    this.#bars = candles.length;
    this.#isMoved = false;
    this.#fit();
  }

  /** Marks the present price, as the figures above the chart do; null when there is none. */
  price(decimal) {
    if (this.#priceLine !== null) this.#candles.removePriceLine(this.#priceLine);
    this.#priceLine =
      decimal === null
        ? null
        : this.#candles.createPriceLine({
            price: Number(decimal),
            lineWidth: 1,
            lineStyle: LineStyle.Dotted,
            ...this.#lineColors,
          });
    container.setAttribute('aria-label', `Candles of the chosen token, price ${figure(decimal)} SOL`);
  }

  /**
   * The bars of a young market fill the width; a single bar fills half of it, because the library throws when the chart becomes
   * narrower than a bar. An old market shows its newest bars.
   */
  #fit() {
    container.dataset.bars = String(this.#bars);
    if (this.#isMoved || this.#bars === 0) return;
    const scale = this.#chart.timeScale();
    if (this.#bars * BAR_PX < scale.width()) {
      scale.fitContent();
      return;
    }
    scale.applyOptions({ barSpacing: BAR_PX });
    scale.scrollToPosition(0, false);
  }

  /** The bar being built, a new one, or an earlier one that has closed or changed. */
  update(candle) {
    const isEarlier = Date.parse(candle.openTime) < this.#newestMs;
    this.#candles.update(bar(candle), isEarlier);
    this.#volume.update(volume(candle), isEarlier);
    if (Date.parse(candle.openTime) <= this.#newestMs) return;
    this.#newestMs = Date.parse(candle.openTime);
    this.#bars += 1;
    this.#fit();
  }

  get #lineColors() {
    return { color: color('--wire'), axisLabelColor: color('--wire'), axisLabelTextColor: color('--ground') };
  }

  #paint() {
    const [text, line, up, down] = ['--muted', '--line', '--accent', '--no'].map(color);
    this.#chart.applyOptions({
      layout: { textColor: text },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
    });
    this.#candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    this.#volume.applyOptions({ color: line });
    this.#priceLine?.applyOptions(this.#lineColors);
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

/** A price of the scale, without negative numbers and remainders of rounding. */
function label(price, move) {
  if (price <= -move) return '';
  return price < move ? '0' : figure(price);
}
