// Go's net/http: POSTs to each row and once more, and writes what it read as one line of JSON.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type seen struct {
	Status *int    `json:"status"`
	Body   string  `json:"body"`
	Error  *string `json:"error"`
}

func post(client *http.Client, url string) seen {
	var result seen
	fail := func(err error) seen {
		text := err.Error()
		result.Error = &text
		return result
	}
	response, err := client.Post(url, "application/json", strings.NewReader("{}"))
	if err != nil {
		return fail(err)
	}
	defer response.Body.Close()
	result.Status = &response.StatusCode
	body, err := io.ReadAll(response.Body)
	result.Body = base64.StdEncoding.EncodeToString(body)
	if err != nil {
		return fail(err)
	}
	return result
}

func main() {
	rows, _ := strconv.Atoi(os.Args[2])
	for row := 0; row < rows; row++ {
		transport := &http.Transport{MaxConnsPerHost: 1, DisableCompression: true}
		client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
		first := post(client, fmt.Sprintf("http://127.0.0.1:%s/row/%d", os.Args[1], row))
		second := post(client, fmt.Sprintf("http://127.0.0.1:%s/next/%d", os.Args[1], row))
		transport.CloseIdleConnections()
		line, _ := json.Marshal(map[string]any{"row": row, "first": first, "second": second})
		fmt.Println(string(line))
	}
}
