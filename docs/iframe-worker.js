// Pages that are read from disk may not start workers: the search of the site runs in a hidden frame instead.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.frame = frame.contentWindow;
      this.waiting = [];
      this.frame.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
      this.frame.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => this.load(each)), Promise.resolve());
      this.load(url).then(() => {
        this.isReady = true;
        this.waiting.forEach(data => this.postMessage(data));
      });
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.frame.document.createElement("script");
        script.onload = resolve;
        script.onerror = reject;
        script.src = url;
        this.frame.document.head.append(script);
      });
    }

    postMessage(data) {
      if (this.isReady) this.frame.dispatchEvent(new this.frame.MessageEvent("message", { data }));
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.frameElement.remove();
    }
  };
