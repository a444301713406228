"""Chromium without a window, for tests of pages."""

import shutil
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)

#: The least contrast of any text on the page with what is behind it, by the formula of WCAG 2.
CONTRAST = """
    const channel = (value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
    const colour = (text) => text.match(/[\\d.]+/g).map(Number);
    const behind = (element) => {
      for (let one = element; one; one = one.parentElement) {
        const found = colour(getComputedStyle(one).backgroundColor);
        if (found.length < 4 || found[3] > 0) return found;
      }
      return [255, 255, 255];
    };
    let least = [99, ""];
    for (const element of document.querySelectorAll("body *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!own || !element.checkVisibility()) continue;
      const one = light(colour(getComputedStyle(element).color)), other = light(behind(element));
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < least[0]) least = [ratio, element.className + " " + element.textContent.slice(0, 30)];
    }
    return least;
"""


def started(profile: Path) -> webdriver.Chrome:
    """A browser with a profile of its own."""
    options = Options()
    options.binary_location = CHROMIUM or ""
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(DRIVER))


def resize(browser: webdriver.Chrome, width: int, height: int, *, dark: bool = False) -> None:
    """Gives the window a size, and the person before it a taste."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
