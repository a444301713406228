// Takes the token out of the address and puts it into a cookie that no script can read.
"use strict";
const token = location.hash.slice(1);
history.replaceState(null, "", "/join");
fetch("/api/join", { method: "POST", headers: { Authorization: "Bearer " + token } })
  .then((response) => response.json())
  .then((answer) => {
    document.getElementById("said").textContent = answer.error
      ? answer.error.message
      : "You are " + answer.for + " in game " + answer.game + ".";
  });
